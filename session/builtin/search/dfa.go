package search

import (
	"regexp/syntax"
	"slices"
	"unicode/utf8"
)

// dfa finds lines that a regular expression may match, by reading each byte once. It takes conditions such as \b for true and
// all characters outside of ASCII for equal, so that it finds too many lines and never too few. Its states are made when
// they are reached. One goroutine uses it.
type dfa struct {
	prog   *syntax.Prog
	ascii  [][2]uint64 // by instruction: the characters of ASCII that it takes
	high   []bool      // by instruction: it takes a character outside of ASCII
	class  [256]uint8  // bytes that no instruction tells apart are of one class
	sample []byte      // a byte of each class
	states map[string]int32
	sets   [][]uint32 // by state: its instructions
	next   []int32    // by state and class: the state behind it, or unknown, or found
	start  int32
	leaves [256]bool // bytes with which the first state is left
	seen   []uint32
	mark   uint32
}

const (
	unknown = int32(-1)
	found   = int32(-2)
	// mostStates bounds the states; then all are made again.
	mostStates = 2000
	// mostInstructions bounds the expressions for which there is a dfa.
	mostInstructions = 2000
)

// newDFA returns nil for an expression that is too large, and for one that matches every line.
func newDFA(prog *syntax.Prog) *dfa {
	n := len(prog.Inst)
	if n > mostInstructions {
		return nil
	}
	d := &dfa{prog: prog, ascii: make([][2]uint64, n), high: make([]bool, n), seen: make([]uint32, n)}
	for i := range prog.Inst {
		d.characters(i)
	}
	d.classes()
	d.reset()
	if d.start == found {
		return nil
	}
	return d
}

// characters notes what an instruction takes.
func (d *dfa) characters(i int) {
	in := &d.prog.Inst[i]
	switch in.Op {
	case syntax.InstRune, syntax.InstRune1, syntax.InstRuneAny, syntax.InstRuneAnyNotNL:
	default:
		return
	}
	for r := rune(0); r < utf8.RuneSelf; r++ {
		if r != '\n' && in.MatchRune(r) {
			d.ascii[i][r/64] |= 1 << (r % 64)
		}
	}
	d.high[i] = in.Op == syntax.InstRuneAny || in.Op == syntax.InstRuneAnyNotNL || syntax.Flags(in.Arg)&syntax.FoldCase != 0 ||
		len(in.Rune) > 0 && in.Rune[len(in.Rune)-1] >= utf8.RuneSelf
}

// classes puts bytes that all instructions treat alike in one class. Class 0 has the end of line.
func (d *dfa) classes() {
	kinds := map[string]uint8{}
	d.sample = []byte{'\n'}
	key := make([]byte, len(d.prog.Inst))
	for c := range 256 {
		if c == '\n' {
			continue
		}
		for i := range d.prog.Inst {
			key[i] = 0
			if d.takes(i, byte(c)) {
				key[i] = 1
			}
		}
		k, ok := kinds[string(key)]
		if !ok {
			k = uint8(min(len(d.sample), 255))
			kinds[string(key)] = k
			d.sample = append(d.sample, byte(c))
		}
		d.class[c] = k
	}
}

func (d *dfa) takes(i int, c byte) bool {
	if c >= utf8.RuneSelf {
		return d.high[i]
	}
	return d.ascii[i][c/64]&(1<<(c%64)) != 0
}

// reset forgets all states but that at the beginning of a line.
func (d *dfa) reset() {
	d.states, d.sets, d.next = map[string]int32{}, nil, nil
	d.mark++
	set, is := d.closure(nil, uint32(d.prog.Start))
	d.start = found
	if is {
		return
	}
	d.start = d.state(set)
	for c := range 256 {
		class := d.class[c]
		to := d.next[int(d.start)*len(d.sample)+int(class)]
		if to == unknown {
			to = d.step(d.start, class)
		}
		d.leaves[c] = to != d.start
	}
}

// closure adds an instruction and those that follow without a character. It reports whether one of them is a match.
func (d *dfa) closure(set []uint32, at uint32) ([]uint32, bool) {
	stack := []uint32{at}
	for len(stack) > 0 {
		i := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if d.seen[i] == d.mark {
			continue
		}
		d.seen[i] = d.mark
		switch in := &d.prog.Inst[i]; in.Op {
		case syntax.InstMatch:
			return set, true
		case syntax.InstAlt, syntax.InstAltMatch:
			stack = append(stack, in.Out, in.Arg)
		case syntax.InstCapture, syntax.InstNop, syntax.InstEmptyWidth:
			stack = append(stack, in.Out)
		case syntax.InstFail:
		default:
			set = append(set, i)
		}
	}
	return set, false
}

// state returns the state with a set of instructions.
func (d *dfa) state(set []uint32) int32 {
	slices.Sort(set)
	key := make([]byte, 0, 2*len(set))
	for _, i := range set {
		key = append(key, byte(i), byte(i>>8))
	}
	if s, ok := d.states[string(key)]; ok {
		return s
	}
	s := int32(len(d.sets))
	d.states[string(key)] = s
	d.sets = append(d.sets, set)
	for range d.sample {
		d.next = append(d.next, unknown)
	}
	return s
}

// step returns the state after a byte of a class.
func (d *dfa) step(s int32, class uint8) int32 {
	c := d.sample[class]
	if c == '\n' {
		d.next[int(s)*len(d.sample)] = d.start
		return d.start
	}
	if len(d.sets) >= mostStates {
		set := d.sets[s]
		d.reset()
		s = d.state(set)
	}
	d.mark++
	set, is := d.closure(nil, uint32(d.prog.Start)) // a match may begin at each byte
	for _, i := range d.sets[s] {
		if is || !d.takes(int(i), c) {
			continue
		}
		if set, is = d.closure(set, d.prog.Inst[i].Out); !is && c >= utf8.RuneSelf && d.seen[i] != d.mark {
			d.seen[i] = d.mark
			set = append(set, i) // the other bytes of the character
		}
	}
	to := found
	if !is {
		to = d.state(set)
	}
	d.next[int(s)*len(d.sample)+int(class)] = to
	return to
}

// find returns a position in the next line that may match, len(text) for none. from is the beginning of a line.
func (d *dfa) find(text []byte, from int) int {
	s, width := d.start, len(d.sample)
	for i := from; i < len(text); i++ {
		if s == d.start {
			for i < len(text) && !d.leaves[text[i]] {
				i++
			}
			if i == len(text) {
				break
			}
		}
		class := d.class[text[i]]
		to := d.next[int(s)*width+int(class)]
		if to < 0 {
			if to == unknown {
				to = d.step(s, class)
			}
			if to == found {
				return i
			}
		}
		s = to
	}
	return len(text)
}
