package tool

import (
	"encoding/hex"
	"fmt"
	"hash/fnv"
	"strings"
)

// Between puts a text of others between two marks that it cannot know, so that a model sees where it ends. key and the text alone
// decide the marks, so that results are the same again.
func Between(what, key, text string) string {
	sum := fnv.New64a()
	for {
		_, _ = sum.Write([]byte(key + text)) // never fails
		if mark := hex.EncodeToString(sum.Sum(nil)); !strings.Contains(text, mark) {
			return fmt.Sprintf("----- %s %s\n%s\n----- end of %s %s", what, mark, text, what, mark)
		}
	}
}
