package handover

import (
	"testing"

	"go.uber.org/goleak"

	"parley/session/proc/proctest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(proctest.Watch(m)) }
