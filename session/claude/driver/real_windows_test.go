package driver_test

import "parley/session/claude/claudetest"

// scripts are the runtimes that run as processes of their own: none here.
var scripts map[string]claudetest.Script
