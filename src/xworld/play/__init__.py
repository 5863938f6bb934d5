"""A person takes the agent's place, in a terminal.

`game.py` has the rules and the score; `player.py` maps keys to actions; `screen.py` and `color.py` draw;
`keyboard.py` decodes keys; `terminal.py` alone reads from the terminal and writes to it.
"""
