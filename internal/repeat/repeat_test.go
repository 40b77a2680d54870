package repeat

import "testing"

func TestTimes(t *testing.T) {
	for value, want := range map[string]int{"": 2, "short": 2, "long": 3} {
		if testing.Short() {
			want = 1
		}
		t.Setenv(variable, value)
		if got := Times(1, 2, 3); got != want {
			t.Errorf("%q: %d, want %d", value, got, want)
		}
	}
}
