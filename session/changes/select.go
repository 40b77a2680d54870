package changes

// Select returns the changes that a scope selects, in their order. Links of the directories of its paths are resolved.
func (s Scope) Select(changes []Change) []Change {
	s = s.resolved()
	var out []Change
	for _, c := range changes {
		if s.Has(c) {
			out = append(out, c)
		}
	}
	return out
}
