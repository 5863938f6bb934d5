"""A person takes the agent's place, in a terminal.

`game.py` has the rules and `score.py` the score; `player.py` says what each key does; `screen.py`, `words.py`
and `color.py` draw; `keyboard.py` and `terminal.py` speak with the terminal, and nothing else here does.
"""
