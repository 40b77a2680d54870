package regular

// opening is nothing: named pipes are not files of a directory here.
const opening = 0

// noFollow is nothing: a link is refused because what was opened is not the file that was looked at.
const noFollow = 0
