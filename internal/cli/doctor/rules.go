package doctor

import (
	"errors"
	"fmt"

	"parley/internal/human"
	"parley/session/permission"
	"parley/session/rules"
)

// rules checks the administrator's policy and the user's files of rules.
func (d doctor) rules() []check {
	store := d.Rules
	checks := []check{policyCheck(store.Policy())}
	dir, err := d.Dir()
	if err != nil {
		return append(checks, check{name: "rules", err: err})
	}
	for _, f := range store.Files(dir) {
		if f.Origin == permission.FromPolicy {
			continue
		}
		c := check{name: string(f.Origin) + " rules", found: fmt.Sprintf("%s (%s)", f.Path, human.Count(len(f.Rules), "rule", "rules"))}
		switch {
		case f.Problem != nil && f.Origin == permission.FromClaude:
			c.err = fmt.Errorf("%w; none of its rules hold", f.Problem)
		case f.Problem != nil:
			c.err = fmt.Errorf("%w; until it is fixed, everything is asked about", f.Problem)
		case f.Missing:
			c.found = f.Path + " (not there; no rules)"
		}
		checks = append(checks, c)
	}
	return checks
}

// policyCheck describes the administrator's policy.
func policyCheck(p rules.Policy) check {
	c := check{name: "policy"}
	switch {
	case p.File.Path == "" || p.File.Missing:
		c.found = "none"
	case p.Ignored != "":
		c.err = errors.New(p.Ignored + " It has to be owned by root, like every directory above it, and writable only by root.")
	case p.File.Problem != nil:
		c.err = fmt.Errorf("%w; until it is fixed, everything is asked about and nothing bypasses permissions", p.File.Problem)
	default:
		c.found = fmt.Sprintf("%s (%s)", p.File.Path, p.Summary())
	}
	return c
}
