"""The number that a test frame carries: 12 cells, black for 0 and white for 1, the most significant
first, along the top edge and centred, inside the centred 3:4 portrait of the frame.
"""

BITS = 12


def cell_size(height):
    """Width and height of a cell in a frame that is so high. Whole MCUs where the width allows."""
    if height >= 720:
        return 32, 32
    if height >= 480:
        return 24, 32
    return 12, 16


def first_cell(width, height):
    """The x of the first cell."""
    return (width - BITS * cell_size(height)[0]) // 2


def bits(number):
    """The cells' values, from left to right."""
    return [number >> shift & 1 for shift in reversed(range(BITS))]


def read(luma, width, height):
    """The number in an image; `luma(x, y)` gives a brightness from 0 to 255. None if unreadable.

    The image may have lost its sides to a centred crop, rounded to whole MCUs: only the middle of
    each cell is looked at. The height must be the frame's.
    """
    cell_width, cell_height = cell_size(height)
    start = first_cell(width, height)
    if start < 0 or height < cell_height:
        return None
    number = 0
    for index in range(BITS):
        x, y = start + index * cell_width + cell_width // 2, cell_height // 2
        around = [luma(x + dx, y + dy) for dx in (-2, 0, 2) for dy in (-2, 0, 2)]
        middle = sum(around) // len(around)
        if 80 < middle < 176:
            return None
        number = number << 1 | (middle >= 176)
    return number
