# replaces: head_start
# loses: 1
# hint: A copier of another width goes in without a word. The error would come much later, somewhere inside a
#   product: check the shapes here.


def head_start(reader, copier):
    new = {name: array.copy() for name, array in reader.items()}
    for name, array in copier.items():
        if name.startswith("encoder."):
            new[name.replace("encoder.", "lower.", 1)] = array.copy()
    return new
