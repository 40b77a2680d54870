package nearest

// Of returns the name most similar to the given one, for an error to suggest; "" if none is close. The maximum
// edit distance is a third of the length of the name plus one.
func Of(name string, names []string) string {
	best, least := "", min(len(name)/3+2, len(name))
	for _, n := range names {
		if d := distance(name, n); d < least {
			best, least = n, d
		}
	}
	return best
}

// Slip returns the name of which a word is one slip of a finger away: a letter missing, added, wrong, or swapped with the next one;
// "" if there is none.
func Slip(word string, names []string) string {
	for _, n := range names {
		if distance(word, n) == 1 || swapped(word, n) {
			return n
		}
	}
	return ""
}

// swapped reports whether two words differ by two neighbors that changed places.
func swapped(a, b string) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range len(a) - 1 {
		if a[i] != b[i] {
			return a[i] == b[i+1] && a[i+1] == b[i] && a[i+2:] == b[i+2:]
		}
	}
	return false
}

// distance returns the Levenshtein distance in bytes.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		corner := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := corner
			if a[i] != b[j] {
				cost++
			}
			corner = row[j+1]
			row[j+1] = min(cost, corner+1, row[j]+1)
		}
	}
	return row[len(b)]
}
