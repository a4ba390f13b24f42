"""A world of many tiles, for tests of many machines: yards with posts, side by side."""

GROUND = """o yard
v 0 0 0
v 0 0 30
v 30 0 30
v 30 0 0
f 1 2 3 4
"""


def world(folder, side, posts=9):
    """Writes world.toml and yard.obj: `side` by `side` yards with `posts` by `posts` posts each."""
    text, base = GROUND, 4
    step = 27 / posts
    for i in range(posts):
        for j in range(posts):
            x, z, wide = 2 + step * i, 2 + step * j, step / 3
            corners = [(x, z), (x, z + wide), (x + wide, z + wide), (x + wide, z)]
            text += "".join(f"v {a:g} 0 {b:g}\nv {a:g} 2 {b:g}\n" for a, b in corners)
            for k in range(4):
                a, b = base + 2 * k, base + 2 * ((k + 1) % 4)
                text += f"f {a + 1} {b + 1} {b + 2} {a + 2}\n"
            text += f"f {base + 2} {base + 4} {base + 6} {base + 8}\n"
            base += 8
    (folder / "yard.obj").write_text(text)
    text = ""
    for i in range(side):
        for j in range(side):
            text += f'[[place]]\nfile = "yard.obj"\ntranslate = [{29 * i}, 0, {29 * j}]\n'
            text += f"rotate = {3 * (i + j)}\n"
    (folder / "world.toml").write_text(text)
