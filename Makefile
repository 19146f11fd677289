# `make help` lists what there is. Every stage says how long it took.

SHELL := /usr/bin/env bash
.SHELLFLAGS := -euo pipefail -c
.DELETE_ON_ERROR:
.DEFAULT_GOAL := help
# Stages run one after the other under -j too: each uses all cores by itself,
# and two at once would only disturb the tests that race on purpose.
.NOTPARALLEL:

STAGE := scripts/stage
VERSION := $(shell git describe --tags --always --dirty 2>/dev/null || echo dev)

# The tools are built once for each set of versions and kept apart from the
# product's module.
TOOLS := .cache/tools/$(shell cat tools/go.mod tools/go.sum | sha256sum | cut -c1-16)
golangci-lint := github.com/golangci/golangci-lint/v2/cmd/golangci-lint
sqlc := github.com/sqlc-dev/sqlc/cmd/sqlc
deadcode := golang.org/x/tools/cmd/deadcode

NPM := npm --prefix web
NPM_STAMP := web/node_modules/.installed
WEB_BUILT := web/dist/.pages/manifest.json
WEB_SOURCES := $(shell find web -mindepth 1 \( -name node_modules -o -path web/dist -o -name '.*' \) -prune \
	-o -type f ! -name '*.go' ! -name '*.test.*' -print)
GO_SOURCES = $(shell find . \( -name node_modules -o -name '.?*' -o -path ./tools \) -prune -o -name '*.go' -print)

.PHONY: help
help: ## list the targets
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: setup toolchain packages
setup: toolchain packages $(NPM_STAMP) ## install what the tests need: Debian packages and npm packages

toolchain:
	@scripts/toolchain

packages:
	@$(STAGE) 'Debian packages' scripts/packages

$(NPM_STAMP): web/package.json web/package-lock.json
	@$(STAGE) 'npm packages' $(NPM) ci --no-audit --no-fund --loglevel error
	@touch $@


$(WEB_BUILT): $(NPM_STAMP) $(WEB_SOURCES) internal/site/default.json
	@$(STAGE) 'build the web app' $(NPM) run --silent build
	@touch $@

# The program and its checks are compiled alike, so that each finds in the build
# cache what the other left there; the database engine alone takes a minute.
build check-go check-dead gen bench-programs: export CGO_ENABLED := 0
build check-go check-dead gen bench-programs: export GOFLAGS := $(GOFLAGS) -trimpath

# Go knows best what it has to compile again, so the command always runs.
.PHONY: build
build: toolchain $(WEB_BUILT) ## build bin/studycircle, the web app inside
	@$(STAGE) 'build bin/studycircle' \
		go build -buildvcs=false -ldflags '-s -w -X main.version=$(VERSION)' -o bin/studycircle ./cmd/studycircle

.PHONY: run
run: build ## build and serve sample content on http://127.0.0.1:8080
	@exec bin/studycircle serve --demo

.PHONY: test test-go test-web test-size test-e2e
test: setup build test-go test-web test-size test-e2e ## install what the tests need and run all of them

# SQLite and the C library under it, translated from C, keep what they share to
# themselves. Watching all they touch made statements four times as dear.
UNWATCHED := modernc.org/sqlite/lib modernc.org/libc modernc.org/memory
# Tests wait for half of their time, for mails, clocks and other processes: with
# two for each core no core is idle.
PARALLEL := $(shell echo $$((2 * $$(nproc))))

test-go: $(WEB_BUILT) ## the Go tests, under the race detector
	@$(STAGE) 'Go tests' go test -race $(UNWATCHED:%=-gcflags=%=-race=false) -parallel $(PARALLEL) -shuffle=on -timeout 20m ./...
	@$(STAGE) 'Go tests of the bench' go test -C bench ./internal/...

test-web: $(NPM_STAMP) ## the web app's tests
	@$(STAGE) 'web tests' $(NPM) run --silent test

test-size: $(WEB_BUILT) ## the web app's size budget
	@$(STAGE) 'size budget' $(NPM) run --silent size

test-e2e: build ## the browser tests against the built program
	@$(STAGE) 'browser tests' $(NPM) run --silent e2e

.PHONY: check check-generated check-format check-go check-dead check-web
check: toolchain check-generated check-format check-go check-dead check-web ## format, vet, lint, types, dead code, generated files fresh

check-generated: $(NPM_STAMP) $(TOOLS)/sqlc
	@$(STAGE) 'generated files' scripts/unchanged $(MAKE) --no-print-directory gen

check-format:
	@$(STAGE) 'gofmt' scripts/silent 'Not formatted (gofmt -w):' gofmt -l $(GO_SOURCES)

check-go: $(TOOLS)/golangci-lint
	@$(STAGE) 'go vet' go vet ./...
	@$(STAGE) 'go vet of the bench' go vet -C bench ./...
	@$(STAGE) 'golangci-lint' $(TOOLS)/golangci-lint run ./...

# From the program alone, so that a function only its tests call counts as
# dead; then from the tests too, for the packages that exist for tests.
check-dead: $(TOOLS)/deadcode
	@$(STAGE) 'dead code' scripts/silent 'Nothing calls:' $(TOOLS)/deadcode ./cmd/...
	@$(STAGE) 'dead test code' scripts/silent 'Nothing calls:' $(TOOLS)/deadcode -test ./...

check-web: $(NPM_STAMP)
	@$(STAGE) 'web checks' $(NPM) run --silent check

.PHONY: gen
gen: $(NPM_STAMP) $(TOOLS)/sqlc ## write all generated files anew: queries, OpenAPI document, its client
	$(TOOLS)/sqlc generate -f internal/store/sqlc.yaml
	go test ./internal/api -run TestDocumentIsFresh -update
	$(NPM) run --silent gen

# No cgo: sqlc then parses with a WebAssembly build of PostgreSQL's parser,
# which compiles in a third of the time, and no tool needs a C compiler.
$(TOOLS)/%:
	@mkdir -p $(@D)
	@echo '*' > .cache/.gitignore
	@$(STAGE) 'build $*' env CGO_ENABLED=0 go build -C tools -trimpath -ldflags '-s -w' -o $(abspath $@) $($*)

.PHONY: bench bench-serving bench-pages bench-trust bench-check bench-programs bench-packages
bench: bench-serving bench-pages ## measure serving beside the peers, then the pages, into bench/results; best on a quiet machine

BENCH := bench/.build/bench
# QUICK=1 stops at 100,000 assignments and takes some five minutes.
bench-serving: build bench-packages bench-programs ## the first half of bench; QUICK=1 for the short one
	@$(STAGE) 'serving' $(BENCH) $(if $(QUICK),-quick) serving

bench-pages: setup build ## the second half of bench: Lighthouse
	@$(STAGE) 'pages' $(NPM) exec --no -- node web/scripts/lighthouse.mjs

# On the whole node, in tests' own databases: a million submissions take a minute or two to fill in.
bench-trust: packages ## grades one can trust: the model beside others under attack, what it costs, and the queue at a million
	@$(STAGE) 'attacks' go test ./internal/grademodel -count=1 -run TestSimulatedClasses -v
	@$(STAGE) 'grade-model' go test ./internal/grademodel ./cmd/studycircle -run '^$$' -bench 'Grade|ArrivingReview'
	@$(STAGE) 'a review beside a grade' go test ./internal/app/nodetest -run '^$$' -bench ReviewBesideGrade -benchtime 10x
	@$(STAGE) 'the queue' go test ./internal/app/nodetest -run '^$$' -bench NextReview -benchtime 500x

bench-check: build bench-packages bench-programs ## measure quickly and fail where ratios are worse than the committed ones
	@$(STAGE) 'compare' $(BENCH) check

bench-packages:
	@$(STAGE) 'Debian packages of the bench' scripts/packages bench

# A module of its own, so that the product does not depend on its peers.
bench-programs: toolchain
	@mkdir -p bench/.build
	@$(STAGE) 'build the bench' go build -C bench -o .build/ . ./floor ./pocketbase

.PHONY: setup-drills drill-nodes drill-balanced drill-classes drill-crash drill-exhaust drill-power drill-upgrade
setup-drills: setup
	@$(STAGE) "the drills' Debian packages" scripts/packages drills

drill-nodes: setup-drills build ## three nodes, a balancer, PostgreSQL with a standby: kill and stop each, report what users noticed
	@$(STAGE) 'drill: nodes' go run ./drills nodes

drill-balanced: setup-drills build ## the browser's main job and an API pass through a balancer before three nodes on PostgreSQL
	@$(STAGE) 'drill: balanced' go run ./drills balanced

drill-classes: packages ## classes of 2 to 200 work and review under a driven clock: who got how many reviews when, and nobody waits for ever
	@$(STAGE) 'drill: classes' env STUDYCIRCLE_TEST_CLASSES=2,3,4,30,200 go test ./internal/app/nodetest -count=1 -run 'TestClasses|TestTheQueueHoldsOnThreeNodes|TestManyAskAtOnceForSomethingToReview' -v -timeout 30m

drill-crash: build ## 200 × kill -9 under 16 writers on SQLite: what was acknowledged is there
	@$(STAGE) 'drill: crash' go run ./drills crash

drill-exhaust: setup-drills build ## those who would have a node for themselves, and what honest users get beside them; needs root
	@$(STAGE) 'drill: exhaust' go run ./drills exhaust

drill-power: build ## 50 power cuts: the disk as it would be found, copied under 16 writers; needs root
	@$(STAGE) 'drill: power' go run ./drills power

drill-upgrade: setup-drills build ## an older and a newer program side by side over a migration, while clients write
	@$(STAGE) 'drill: upgrade' go run ./drills upgrade

.PHONY: screenshots
screenshots: setup build ## photograph every page into e2e/screenshots
	@$(STAGE) 'screenshots' $(NPM) run --silent screenshots

.PHONY: clean
clean: ## remove everything these targets made, but not data/
	rm -rf bin .cache bench/.build bench/.data web/node_modules e2e/node_modules e2e/results e2e/report e2e/screenshots
	find web/dist -mindepth 1 ! -name .keep -delete
