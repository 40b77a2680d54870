package toolview

import (
	"fmt"

	"parley/session"
)

// Changes returns the number of lines added and removed by edits, such as "+3 -2", or where there are none the note of the first, such as
// "binary".
func Changes(edits []session.FileEdit) string {
	add, del := 0, 0
	for _, e := range edits {
		add, del = add+e.Added, del+e.Removed
	}
	if add+del == 0 && len(edits) > 0 && edits[0].Note != "" {
		return edits[0].Note
	}
	return fmt.Sprintf("+%d -%d", add, del)
}
