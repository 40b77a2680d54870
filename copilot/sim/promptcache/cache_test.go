package promptcache

import "testing"

func TestMarkedBeginningsAreRead(t *testing.T) {
	var c Cache
	first := []Part{{JSON: []byte(`"tools"`)}, {Role: "user", JSON: []byte(`{"text":"one","cache_control":{}}`), Marked: true}}
	if read, written := c.Measure("m", first); read != 0 || written == 0 {
		t.Errorf("the first request reads %d and writes %d", read, written)
	}
	// The mark wandered on, and the text stayed.
	next := []Part{first[0], {Role: "user", JSON: []byte(`{"text":"one"}`)}, {Role: "assistant", JSON: []byte(`{"text":"two"}`), Marked: true}}
	if read, written := c.Measure("m", next); read == 0 || written <= read {
		t.Errorf("the second request reads %d and writes %d", read, written)
	}
	if read, _ := c.Measure("other", next); read != 0 {
		t.Errorf("another model reads %d", read)
	}
	if read, reusable := c.Totals(); read == 0 || reusable < read {
		t.Errorf("in all %d read, %d reusable", read, reusable)
	}
}
