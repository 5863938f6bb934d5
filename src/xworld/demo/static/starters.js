// The colors to draw with, and drawings to start from: 12 x 12 letters, each a color, a dot for none.

export const COLORS = {
  K: ["#1f2328", "black"], G: ["#8b949e", "gray"], W: ["#ffffff", "white"], N: ["#8a5a33", "brown"],
  R: ["#e03131", "red"], O: ["#f08c00", "orange"], Y: ["#fcc419", "yellow"], L: ["#3fa535", "green"],
  T: ["#12858f", "teal"], B: ["#2f6fe0", "blue"], P: ["#8e44ad", "purple"], I: ["#f48fb1", "pink"],
};

const DRAWINGS = {
  zebra: `
    ..K......K..
    .KWK.KK.KWK.
    .KWWKKKKWWK.
    ..WWKWWKWW..
    ..KKWKKWKK..
    ..WWKWWKWW..
    ..WKWWWWKW..
    ..KKWWWWKK..
    ...WWKKWW...
    ...GGGGGG...
    ...GKGGKG...
    ....GGGG....`,
  mushroom: `
    ............
    ...RRRRRR...
    ..RRWWRRRR..
    .RRRWWRRWWR.
    .RWRRRRRWWR.
    RRRRRWWRRRRR
    RRWRRWWRRRRR
    RRRRRRRRRWRR
    ...WWWWWW...
    ...WKWWKW...
    ...WWWWWW...
    ....WWWW....`,
  ghost: `
    ....PPPP....
    ..PPPPPPPP..
    .PPPPPPPPPP.
    .PWWPPPWWPP.
    PPWKPPPWKPPP
    PPWKPPPWKPPP
    PPPPPPPPPPPP
    PPPPPKKPPPPP
    PPPPPPPPPPPP
    PPPPPPPPPPPP
    PP.PPPPPP.PP
    P...PPPP...P`,
  rocket: `
    .....WW.....
    ....WWWW....
    ....WBBW....
    ....WBBW....
    ....WWWW....
    ....WWWW....
    ...RWWWWR...
    ..RRWWWWRR..
    ..RRWWWWRR..
    ..R.RRRR.R..
    ....OYYO....
    .....YY.....`,
};

/** The drawings by name, each as 144 colors, "" for none. */
export const STARTERS = Object.entries(DRAWINGS).map(([name, drawing]) => ({
  name,
  pixels: [...drawing.replace(/\s/g, "")].map((letter) => COLORS[letter]?.[0] ?? ""),
}));
