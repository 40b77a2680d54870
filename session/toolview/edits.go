package toolview

import (
	"fmt"

	"parley/session"
)

// Changes returns the number of lines added and removed by edits, such as "+3 -2".
func Changes(edits []session.FileEdit) string {
	add, del := 0, 0
	for _, e := range edits {
		add, del = add+e.Added, del+e.Removed
	}
	return fmt.Sprintf("+%d -%d", add, del)
}
