//go:build unix

package keyboard

import (
	"errors"
	"os"
	"testing"
)

// TestWhoContinuesASuspendedProgram looks at trees of processes, each with its parent, group and session.
func TestWhoContinuesASuspendedProgram(t *testing.T) {
	type process struct{ parent, group, session int }
	for name, test := range map[string]struct {
		all  map[int]process
		want bool
	}{
		"a job of a shell":                  {map[int]process{9: {5, 9, 5}, 5: {2, 5, 5}, 2: {1, 2, 2}}, true},
		"in a script that is a job":         {map[int]process{9: {8, 8, 5}, 8: {5, 8, 5}, 5: {2, 5, 5}, 2: {1, 2, 2}}, true},
		"the program of a window":           {map[int]process{9: {2, 9, 9}, 2: {1, 2, 2}}, false},
		"in a script of a window":           {map[int]process{9: {8, 8, 8}, 8: {2, 8, 8}, 2: {1, 2, 2}}, false},
		"a job of the shell of a container": {map[int]process{9: {1, 9, 1}, 1: {0, 1, 1}}, true},
		"whose shell has ended, below init": {map[int]process{9: {1, 9, 5}, 1: {0, 1, 1}}, false},
		"whose shell has ended":             {map[int]process{9: {1, 9, 5}}, false},
		"whose parent cannot be read":       {map[int]process{9: {7, 9, 5}}, false},
		"a loop, as of a table that lies":   {map[int]process{9: {8, 8, 5}, 8: {9, 8, 5}}, false},
	} {
		look := func(field func(process) int) func(int) (int, error) {
			return func(pid int) (int, error) {
				p, ok := test.all[pid]
				if !ok {
					return 0, errors.New("no such process")
				}
				return field(p), nil
			}
		}
		got := continued(9, look(func(p process) int { return p.group }), look(func(p process) int { return p.session }), look(func(p process) int { return p.parent }))
		if got != test.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// TestParentIsFound reads the own parent.
func TestParentIsFound(t *testing.T) {
	if p, err := parentOf(os.Getpid()); err != nil || p != os.Getppid() {
		t.Errorf("%d, %v; want %d", p, err, os.Getppid())
	}
}
