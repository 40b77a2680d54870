# Tasks. `make` lists them. The two that everybody needs are also in the README: go run . --demo, go test ./...

GO      ?= go
FUZZFOR ?= 10s
BUILD   := .build

.PHONY: help
help: ## list the tasks
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-8s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: build
build: ## build ./parley
	$(GO) build -o parley .

.PHONY: run
run: ## chat in this directory (ARGS="...")
	$(GO) run . $(ARGS)

.PHONY: demo
demo: ## try it: a simulated model, no login
	$(GO) run . --demo

.PHONY: quick
quick: ## vet, staticcheck of what changed, and the fast tests: a minute (BASE=COMMIT)
	./.ci/quick $(BASE)

.PHONY: test
test: ## all tests that need only Go
	$(GO) test ./...

.PHONY: rooms
rooms: ## the rooms by the time of their tests, and those without any
	./.ci/rooms

.PHONY: race
race: ## all tests under the race detector (needs a C compiler)
	$(GO) test -race ./...

.PHONY: full
full: ## everything, in hours, going on where it was stopped; writes .ci/passed
	./.ci/full

.PHONY: soak
soak: ## ten thousand requests and a thousand aborts through the proxy, which must not grow (15 s)
	$(GO) test ./proxy -run '^$$' -bench '^BenchmarkSoak$$' -benchtime 1x

.PHONY: contract
contract: ## tests with the real SDKs and every runtime (needs node and npm)
	./.ci/contracts whole

.PHONY: record
record: ## move to the newest runtimes, record them and the sessions of other programs again, then read the difference (needs node and npm)
	$(GO) test -tags contract -count=1 -run '^TestContractNewest$$' ./session/runtimes -update
	$(GO) test -tags contract -count=1 -timeout 30m -run '^TestContractClaudeRuntimes$$' ./session/claude -update
	$(GO) test -count=1 -run 'TestGolden|TestToolsHaveWords' ./session/claude -update
	$(GO) test -tags contract -count=1 -timeout 30m -run '^TestContractRecorded$$' ./session/copilot/mapper -update
	$(GO) test -tags contract -count=1 -timeout 30m -run '^TestContractRecord$$' ./session/foreign -update
	$(GO) test -count=1 -run '^TestRecordedSessions$$' ./session/foreign -update
	$(MAKE) docs

.PHONY: stress
stress: ## the whole suite 20 times under load; a test that fails once is a finding (2 h)
	./.ci/stress

.PHONY: ahead
ahead: ## the tests with the clock a year ahead
	./.ci/ahead

.PHONY: fuzz
fuzz: ## every fuzz test for FUZZFOR each
	./.ci/fuzz $(FUZZFOR)

.PHONY: golden
golden: ## rewrite golden files; look at the difference before you commit it
	$(GO) test $$(grep -rl --include='*_test.go' '"update"' . | xargs -n1 dirname | sort -u) -update

.PHONY: bench
bench: ## benchmarks, with allocations
	$(GO) test -run '^$$' -bench . -benchmem ./...

.PHONY: figures
figures: ## the figures of the screen and of the program beside their goals, on a pty (Linux, 5 min)
	$(GO) test ./ui -run '^$$' -bench '^BenchmarkFigures$$' -benchtime 1x
	$(GO) test ./internal/cli -run '^$$' -bench '^Benchmark(Program|Hosted|Attach|TenSessions|OpenHundredThousand)$$' -benchtime 1x

.PHONY: lint
lint: ## formatting, vet, staticcheck
	@test -z "$$(gofmt -l .)" || { gofmt -l .; exit 1; }
	$(GO) vet ./...
	bash -c '. .ci/lib; . .ci/steps; lint'

.PHONY: docs
docs: ## rewrite the generated documentation, its pictures too
	$(GO) test ./internal/cli -run TestGenerated -update
	$(GO) test ./ui/uitest -run '^TestPictures(Move)?$$' -update

.PHONY: dev
dev: ## run with the race detector, reports to parley-race.PID (a screen cannot show them) (ARGS="...")
	mkdir -p $(BUILD)
	$(GO) build -race -o $(BUILD)/parley-race .
	GORACE="log_path=parley-race" $(BUILD)/parley-race --verbose $(ARGS)
