package safefs

// opening is empty: named pipes are not files of a directory here.
const opening = 0

// noFollow is empty: a link is refused because the opened file is not the one that was examined.
const noFollow = 0
