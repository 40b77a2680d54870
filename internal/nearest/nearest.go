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
