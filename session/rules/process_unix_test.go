//go:build unix

package rules

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"

	"parley/session/permission"
)

// adderVariable makes the test binary a process that adds rules until it has added all, or is killed: directory, name and count.
const adderVariable = "PARLEY_TEST_RULES"

func TestMain(m *testing.M) {
	if args := os.Getenv(adderVariable); args != "" {
		if err := addRules(strings.Split(args, "|")); err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// addRules adds rules and prints the number of each once it is kept.
func addRules(args []string) error {
	var count int
	if _, err := fmt.Sscan(args[4], &count); err != nil {
		return err
	}
	s := New(Options{Config: args[0], Data: args[1]})
	for i := range count {
		r, err := permission.ParseRule(fmt.Sprintf("tool %s-%d", args[3], i))
		if err != nil {
			return err
		}
		if err := s.Add(args[2], permission.FromProject, r); err != nil {
			return err
		}
		fmt.Println(i)
	}
	return nil
}

// adder starts a process that adds rules.
func adder(t *testing.T, s *Store, dir, name string, count int) (*exec.Cmd, *bufio.Scanner) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), fmt.Sprintf("%s=%s|%s|%s|%s|%d", adderVariable, s.o.Config, s.o.Data, dir, name, count))
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	return cmd, bufio.NewScanner(out)
}

// Processes that add rules at once lose none.
func TestProcessesLoseNoRule(t *testing.T) {
	const processes, each = 3, 15
	s, dir := newStore(t)
	var wg sync.WaitGroup
	for i := range processes {
		cmd, out := adder(t, s, dir, fmt.Sprintf("P%d", i), each)
		wg.Go(func() {
			for out.Scan() {
				if strings.Contains(out.Text(), " ") {
					t.Error(out.Text())
				}
			}
			if err := cmd.Wait(); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if n := len(s.Kept(dir).Rules); n != processes*each {
		t.Errorf("%d rules", n)
	}
}

// A process that is killed at any moment loses no rule that it said is kept, and leaves a file and a lock that work.
func TestKillLosesNoRule(t *testing.T) {
	s, dir := newStore(t)
	kept := 0
	for round := range 12 {
		cmd, out := adder(t, s, dir, fmt.Sprintf("R%d", round), 1000)
		for range 1 + round%4 {
			if !out.Scan() {
				t.Fatal("it ended by itself")
			}
			kept++
		}
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = cmd.Wait()
		k := s.Kept(dir)
		if k.Locked != "" || len(k.Rules) < kept {
			t.Fatalf("%d rules of %d: %s", len(k.Rules), kept, k.Locked)
		}
		kept = len(k.Rules)
	}
	if err := s.Add(dir, permission.FromProject, rule(t, permission.Deny, "tool Last")); err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(strings.TrimSuffix(s.Path(dir, permission.FromProject), fileName))
	if err != nil || len(entries) != 1 {
		t.Errorf("left behind: %v %v", entries, err)
	}
}
