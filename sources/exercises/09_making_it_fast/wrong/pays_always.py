# replaces: pays
# loses: 2
# hint: If a call is not faster afterwards, no number of calls will make up for the seconds of compiling. What
#   should come out then?


def pays_after(compiling, before, after):
    return math.floor(compiling / (before - after)) + 1
