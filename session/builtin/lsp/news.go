package lsp

// news holds the findings of a server that the model has read, so that it reads only those that an edit changed. Only who holds
// [client.turn] uses it.
type news struct {
	// known counts the errors that the model knows or that were there before its edits.
	known map[sameness]int
	// based reports whether known has what was there before the first edit, in all files.
	based bool
	// untold are the files changed since the model was last told.
	untold map[string]bool
}

// report lists the changes in a server's findings.
type report struct {
	server string
	// fresh are the errors that were not there before, those in changed files first.
	fresh []finding
	// gone counts errors that are there no more, standing and warnings those that still are in the changed files.
	gone, standing, warnings int
}

// base takes findings as known that were there before an edit: all of them, or those of some files.
func (n *news) base(all []finding, only map[string]bool) {
	if n.known == nil {
		n.known = map[sameness]int{}
	}
	for k := range n.known {
		if only == nil || only[k.path] {
			delete(n.known, k)
		}
	}
	for _, f := range all {
		if f.severity == severityError && (only == nil || only[f.path]) {
			n.known[f.key()]++
		}
	}
	n.based = n.based || only == nil
}

// tell returns what has changed, and takes it as known. Without a base, what is in files that no edit changed is nothing new.
func (n *news) tell(server string, all []finding) report {
	r := report{server: server}
	left := map[sameness]int{}
	for k, count := range n.known {
		left[k] = count
	}
	var elsewhere []finding
	for _, f := range all {
		changed := n.untold[f.path]
		switch {
		case f.severity != severityError:
			if changed {
				r.warnings++
			}
		case left[f.key()] > 0:
			left[f.key()]--
			if changed {
				r.standing++
			}
		case changed:
			r.fresh = append(r.fresh, f)
		case n.based:
			elsewhere = append(elsewhere, f)
		}
	}
	for _, count := range left {
		r.gone += count
	}
	r.fresh = append(r.fresh, elsewhere...)
	n.base(all, nil)
	n.untold = nil
	return r
}

// touch records a changed file.
func (n *news) touch(path string) {
	if n.untold == nil {
		n.untold = map[string]bool{}
	}
	n.untold[path] = true
}
