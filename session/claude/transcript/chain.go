package transcript

import (
	"cmp"
	"runtime"
	"slices"
	"sync"

	"parley/internal/crash"
)

// Conversation returns the entries of the conversation, oldest first: the branch that ends in the newest line, back to its
// beginning, also across compactions. Abandoned branches, and lines of child agents in the file of old versions, are left
// out. Title lines follow at the end, in order.
func (f *File) Conversation() []Entry { return f.entries(f.order(false)) }

// sidechain returns the conversation in a child agent's transcript, all lines of which are marked as sidechain.
func (f *File) sidechain() []Entry { return f.entries(f.order(true)) }

// entries decodes lines, many of them in parallel.
func (f *File) entries(order []int) []Entry {
	out := make([]Entry, len(order))
	workers := min(runtime.GOMAXPROCS(0), 1+len(order)/256)
	var wg sync.WaitGroup
	for w := range workers {
		from, to := w*len(order)/workers, (w+1)*len(order)/workers
		wg.Go(crash.Guarded(func() {
			for i := from; i < to; i++ {
				out[i] = decode(f.lines[order[i]].data)
			}
		}))
	}
	wg.Wait()
	for _, l := range f.lines {
		if l.kind == title {
			out = append(out, decode(l.data))
		}
	}
	return out
}

// order returns the positions of the conversation's lines, oldest first.
func (f *File) order(side bool) []int {
	at := map[string]int{} // position of each uuid; a compaction may repeat a line, and the first counts
	parents := map[string]bool{}
	for i, l := range f.lines {
		if l.uuid == "" {
			continue
		}
		if _, again := at[l.uuid]; !again {
			at[l.uuid] = i
		}
		parents[l.parent], parents[l.logical] = true, true
	}
	leaf := f.leaf(at, parents, side)
	if leaf < 0 {
		return nil
	}
	chain := f.climb(leaf, at, side)
	return f.insert(chain, f.strays(chain, at, side))
}

// leaf returns the position of the newest line without a successor that is a message or follows one. Lines that the runtime
// made up count only if there are no others.
func (f *File) leaf(at map[string]int, parents map[string]bool, side bool) int {
	for _, alsoMeta := range []bool{false, true} {
		for i := len(f.lines) - 1; i >= 0; i-- {
			l := &f.lines[i]
			if l.uuid == "" || l.sidechain != side || parents[l.uuid] {
				continue
			}
			end, cut := f.lastMessage(at[l.uuid], at, side, alsoMeta)
			switch {
			case end >= 0:
				return at[l.uuid]
			case cut:
				return -1
			}
		}
	}
	return -1
}

// lastMessage returns the position of the newest message of a user or an assistant before a leaf, -1 if there is none. cut means
// that it may be before the part that was read.
func (f *File) lastMessage(i int, at map[string]int, side, alsoMeta bool) (end int, cut bool) {
	for steps := 0; i >= 0 && steps <= len(f.lines); steps++ {
		l := &f.lines[i]
		if (l.kind == user || l.kind == assistant) && l.sidechain == side && (alsoMeta || !l.meta) {
			return i, false
		}
		if i = f.before(i, at); i < 0 {
			return -1, f.partial && (l.parent != "" || l.logical != "")
		}
	}
	return -1, false
}

// before returns the position of a line's parent, -1 for none.
func (f *File) before(i int, at map[string]int) int {
	l := &f.lines[i]
	for _, id := range []string{l.parent, l.logical} {
		if j, ok := at[id]; ok && id != "" {
			return j
		}
	}
	return -1
}

// climb returns the chain that ends in leaf, oldest first. In place of a missing parent, whose line is damaged, it continues
// with the line before it in the file.
func (f *File) climb(leaf int, at map[string]int, side bool) []int {
	on := make([]bool, len(f.lines))
	var chain []int
	for i := leaf; i >= 0 && !on[i]; {
		on[i] = true
		chain = append(chain, i)
		next := f.before(i, at)
		if l := &f.lines[i]; next < 0 && !f.partial && (l.parent != "" || l.logical != "") {
			for next = i - 1; next >= 0; next-- {
				if n := &f.lines[next]; n.uuid != "" && n.sidechain == side && at[n.uuid] == next {
					break
				}
			}
		}
		i = next
	}
	slices.Reverse(chain)
	return chain
}

// strays returns the lines that belong to the chain but are not on it, because only one result of parallel calls has a
// successor: other blocks of a message on the chain, results of its calls, and compactions that kept the messages around.
func (f *File) strays(chain []int, at map[string]int, side bool) []int {
	on := make(map[int]bool, len(chain))
	messages := map[string]bool{}
	for _, i := range chain {
		on[i] = true
		if l := &f.lines[i]; l.kind == assistant && l.messageID != "" {
			messages[l.messageID] = true
		}
	}
	var out []int
	for i := range f.lines {
		l := &f.lines[i]
		if l.uuid == "" || on[i] || l.sidechain != side || at[l.uuid] != i {
			continue
		}
		belongs := false
		switch l.kind {
		case assistant:
			belongs = messages[l.messageID]
		case user:
			if p, ok := at[cmp.Or(l.source, l.parent)]; ok && f.lines[p].kind == assistant {
				belongs = on[p] && isResult(l)
			}
		case system:
			p, ok := at[l.logical]
			belongs = l.boundary && ok && on[p]
		}
		if belongs {
			on[i] = true
			out = append(out, i)
		}
	}
	return out
}

// isResult reports whether a user line is a tool result.
func isResult(l *rawLine) bool {
	return slices.ContainsFunc(decode(l.data).Blocks, func(b Block) bool { return b.Type == "tool_result" })
}

// insert inserts strays in the order of the file, after what they belong to.
func (f *File) insert(chain, strays []int) []int {
	if len(strays) == 0 {
		return chain
	}
	out := make([]int, 0, len(chain)+len(strays))
	for _, i := range chain {
		for len(strays) > 0 && strays[0] < i {
			out = append(out, strays[0])
			strays = strays[1:]
		}
		out = append(out, i)
	}
	return append(out, strays...)
}
