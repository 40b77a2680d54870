package shell

import (
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"parley/internal/repeat"
)

// once returns a print in which the names of the line's own variables are as in the first print of a line.
func once(print string) string {
	for strings.Contains(print, own+own) {
		print = strings.ReplaceAll(print, own+own, own)
	}
	return print
}

// checkPrint reads a print, which has to print the same again. It reports false where the print is over a limit of what is read.
func checkPrint(t *testing.T, d Dialect, print string) bool {
	t.Helper()
	line, err := Read(d, print)
	if err != nil {
		for _, limit := range []string{"it is too long", "it is nested too deeply", "it has too many commands"} {
			if strings.HasPrefix(err.Error(), limit) {
				return false
			}
		}
		t.Fatalf("the print is not read: %v\n%s", err, print)
	}
	if again := Print(line); once(again) != once(print) {
		t.Fatalf("the print\n%s\nprints\n%s", print, again)
	}
	return true
}

func TestStructuresPrintAgain(t *testing.T) {
	taken, n := 0, repeat.Times(500, 3000, 200_000)
	for i := range n {
		m := &maker{Rand: rand.New(rand.NewPCG(1, uint64(i))), read: true, timed: true}
		print := Print(m.line(1 + m.IntN(3)))
		line, err := Read(Bash, print)
		if err != nil {
			if strings.Contains(err.Error(), "before it sets it") || strings.Contains(err.Error(), "from a here-document") {
				continue // values of an earlier line
			}
		} else if len(line) == 0 {
			t.Fatalf("%q: nothing", print)
		}
		if checkPrint(t, Bash, print) {
			taken++
		}
	}
	if taken < n/2 {
		t.Errorf("only %d of %d prints were read", taken, n)
	}
}

func TestTablesPrintAgain(t *testing.T) {
	for _, group := range slices.Concat(linesOfCommands, linesOfWords) {
		for _, row := range group.lines {
			if strings.HasPrefix(row[1], "# ") {
				continue
			}
			checkPrint(t, Bash, row[1])
			if !strings.Contains(row[1], "time ") {
				checkPrint(t, POSIX, row[1])
			}
		}
	}
}

func TestCorpusPrintsAgain(t *testing.T) {
	taken := 0
	for _, text := range corpus(t) {
		line, err := Read(Bash, text)
		if err != nil {
			continue
		}
		print := Print(line)
		if checkPrint(t, Bash, print) {
			taken++
		}
		if !strings.Contains(print, "time ") {
			checkPrint(t, POSIX, print)
		}
	}
	if taken < 2000 {
		t.Errorf("%d lines of the corpus were read", taken)
	}
}

// corpus returns the command lines of the corpus, which are the last column.
func corpus(t testing.TB) (lines []string) {
	t.Helper()
	data, err := os.ReadFile("../testdata/corpus.txt")
	if err != nil {
		t.Fatal(err)
	}
	for row := range strings.SplitSeq(strings.TrimSpace(strings.ReplaceAll(string(data), "\r\n", "\n")), "\n") {
		if strings.HasPrefix(row, "#") {
			continue
		}
		cells := strings.Split(row, "\t")
		text, err := strconv.Unquote(cells[len(cells)-1])
		if err != nil {
			t.Fatalf("%q: %v", row, err)
		}
		lines = append(lines, text)
	}
	return lines
}

// FuzzRead reads any text: what is taken prints, and that prints the same again, in both dialects.
func FuzzRead(f *testing.F) {
	for _, group := range slices.Concat(linesOfCommands, linesOfWords) {
		for _, row := range group.lines {
			f.Add(row[0])
		}
	}
	for i := range uint64(50) {
		m := &maker{Rand: rand.New(rand.NewPCG(2, i)), read: true, timed: true}
		f.Add(Print(m.line(2)))
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, d := range []Dialect{Bash, POSIX} {
			line, err := Read(d, text)
			if err != nil {
				if why := err.Error(); why == "" || strings.HasSuffix(why, ".") || strings.Contains(why, "\n") || line != nil {
					t.Fatalf("%q: %q with %v", text, why, line)
				}
				continue
			}
			timed := false
			for _, p := range line {
				timed = timed || p.Timed
			}
			print := Print(line)
			checkPrint(t, d, print)
			if d == POSIX || !timed && !strings.Contains(print, "time ") {
				checkPrint(t, Bash+POSIX-d, print)
			}
		}
	})
}
