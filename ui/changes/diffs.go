package changes

import (
	"slices"

	"parley/session"
	"parley/ui/changes/listing"
)

// diff is a difference that was computed, or why it could not be.
type diff struct {
	edit session.FileEdit
	// whole and halves are its pieces, unified and side by side; digits is how wide the numbers of lines are.
	whole, halves []piece
	digits        int
	trouble       string
	dropped       bool // the pieces are not kept any more
}

// keptBytes is the most bytes of patches that are kept. What was shown last stays.
const keptBytes = 32 << 20

// diffs are the differences that are known, and those that rows on the screen lack.
type diffs struct {
	known map[listing.Span]*diff
	order []listing.Span // with pieces, oldest first
	bytes int
	// first are the spans that the difference shows without their pieces, counts those whose counts alone are missing.
	first, counts []listing.Span
}

// count returns the numbers of lines that a span adds and removes. ok is false while they are unknown: they are requested.
func (d *diffs) count(s listing.Span) (added, removed int, ok bool) {
	if known := d.known[s]; known != nil {
		return known.edit.Added, known.edit.Removed, true
	}
	if !slices.Contains(d.counts, s) {
		d.counts = append(d.counts, s)
	}
	return 0, 0, false
}

// get returns the difference of a span with its pieces, nil while it is unknown: it is requested.
func (d *diffs) get(s listing.Span) *diff {
	if known := d.known[s]; known != nil && !known.dropped {
		return known
	}
	if !slices.Contains(d.first, s) {
		d.first = append(d.first, s)
	}
	return nil
}

// How many differences are computed in one job: of those that are shown, and of those whose counts are.
const (
	maxShown   = 4
	maxCounted = 32
)

// next returns what to compute next. What rows lack besides is requested again by the next frame; what the difference lacks
// waits, as long as needed reports that it is shown.
func (d *diffs) next(needed func(listing.Span) bool) []listing.Span {
	d.first = slices.DeleteFunc(d.first, func(s listing.Span) bool { return !needed(s) })
	want := d.first[:min(len(d.first), maxShown)]
	d.first = d.first[len(want):]
	if len(want) == 0 {
		want = d.counts[:min(len(d.counts), maxCounted)]
	}
	d.counts = nil
	return want
}

// put adds what was computed, and drops the oldest pieces beyond the bound.
func (d *diffs) put(s listing.Span, v *diff) {
	d.known[s] = v
	if len(v.edit.Patch) == 0 {
		return
	}
	d.bytes += 3 * len(v.edit.Patch) // with the pieces of both forms
	v.edit.Patch = ""
	d.order = append(d.order, s)
}

// trim drops the pieces of what was computed first, beyond the bound; needed reports what is still shown.
func (d *diffs) trim(needed func(listing.Span) bool) {
	for i := 0; d.bytes > keptBytes && i < len(d.order); {
		s := d.order[i]
		old := d.known[s]
		if needed(s) {
			i++
			continue
		}
		for _, p := range slices.Concat(old.whole, old.halves) {
			d.bytes -= len(p.patch)
		}
		old.whole, old.halves, old.dropped = nil, nil, true
		d.order = slices.Delete(d.order, i, i+1)
	}
}
