package uitest

import (
	"time"

	"github.com/dlclark/regexp2/v2"
)

// The lexers' regular expressions share a clock, a goroutine that the first match starts and that ends by itself. It must
// not be started in virtual time, which would wait for it: this starts it before and keeps it for the life of the test.
func init() {
	clock := regexp2.MustCompile("x", regexp2.None)
	clock.MatchTimeout = 24 * time.Hour
	if _, err := clock.MatchString("x"); err != nil {
		panic(err)
	}
}
