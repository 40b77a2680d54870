package permission

// memory is what one decision has found out about the disk, so that each path is looked up once.
type memory struct {
	real map[string]place
}

// place is the answer of [Policy.real].
type place struct {
	path string
	sure bool
}

// remembering returns p with a disk that is asked about each path once, for one decision.
func (p Policy) remembering() Policy {
	p.known = &memory{real: map[string]place{}}
	type target struct {
		path string
		err  error
	}
	if resolve := p.Resolve; resolve != nil {
		targets := map[string]target{}
		p.Resolve = func(path string) (string, error) {
			at, ok := targets[path]
			if !ok {
				at.path, at.err = resolve(path)
				targets[path] = at
			}
			return at.path, at.err
		}
	}
	if exists := p.Exists; exists != nil {
		there := map[string]bool{}
		p.Exists = func(path string) bool {
			is, ok := there[path]
			if !ok {
				is = exists(path)
				there[path] = is
			}
			return is
		}
	}
	return p
}
