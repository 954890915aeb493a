"""The places of made libraries: what scripts that make photos or an index agree on."""

PER_FOLDER = 1000


def place(number):
    """A third of all photos at home, the others in walks through a thousand towns."""
    town = 0 if number % 3 == 0 else number // PER_FOLDER % 1000 + 1
    step = number * 2_654_435_761 % 2**32 / 2**32
    other = number * 40_503 % 1_000_003 / 1_000_003
    width = 0.001 if town == 0 else 0.05
    return town * 37 % 120 - 60 + width * step, town * 73 % 350 - 175 + width * other
