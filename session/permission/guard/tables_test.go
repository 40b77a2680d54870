package guard

import (
	"strings"
	"testing"

	"parley/session/permission/disk"
)

// Every name of the tables is spelled as it is compared and stands in them once, with a source or a reason.
func TestTablesOfGuardedNames(t *testing.T) {
	seen := map[string]string{}
	add := func(table, why, names string) {
		t.Helper()
		if why == "" || names == "" {
			t.Errorf("%s: %q has no source or reason", table, names)
		}
		for _, name := range strings.Fields(names) {
			for _, part := range strings.Split(name, "/") {
				if folded := disk.FoldName(part); folded != part {
					t.Errorf("%s: %q is compared as %q", table, name, folded)
				}
			}
			if before := seen[name]; before != "" {
				t.Errorf("%q is in %s and in %s", name, before, table)
			}
			seen[name] = table
		}
	}
	for table, of := range map[string][]runBy{"folders": guardedFolders, "files": guardedFiles, "pairs": guardedPairs} {
		for _, r := range of {
			if r.who == "" {
				t.Errorf("%q are run by nobody", r.names)
			}
			if !strings.HasPrefix(r.where, "http") && !strings.HasPrefix(r.where, "docs/") {
				t.Errorf("%q: %q is no place", r.names, r.where)
			}
			add(table, r.where, r.names)
		}
	}
	for table, of := range map[string][]harmless{"harmless files": harmlessFiles, "harmless folders": harmlessFolders} {
		for _, h := range of {
			add(table, h.why, h.names)
			for _, name := range strings.Fields(h.names) {
				if who := runByName(name, true); who != "" {
					t.Errorf("%q is harmless, and run by %s", name, who)
				}
			}
		}
	}
}
