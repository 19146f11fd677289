# `make help` lists the targets. Every stage prints its duration.

SHELL := /usr/bin/env bash
.SHELLFLAGS := -euo pipefail -c
.DELETE_ON_ERROR:
.DEFAULT_GOAL := help
# Stages run one at a time, even with -j: each uses all cores, and a second one
# would disturb the tests that race on purpose.
.NOTPARALLEL:

STAGE := scripts/stage
VERSION := $(shell git describe --tags --always --dirty 2>/dev/null || echo dev)

# The tools have their own module and are built once per set of versions.
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
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: setup toolchain packages
setup: toolchain packages $(NPM_STAMP) ## install the Debian and npm packages that the tests need

toolchain:
	@scripts/toolchain

packages:
	@$(STAGE) 'Debian packages' scripts/packages

# npm leaves out optional binaries that refuse the Node it runs on, as Lingui's refuses Node 20. The packages bring a
# newer Node, which then installs them.
$(NPM_STAMP): web/package.json web/package-lock.json
	@$(STAGE) 'npm packages' $(NPM) ci --no-audit --no-fund --loglevel error
	@PATH=$(abspath web/node_modules/.bin):$$PATH $(NPM) install --no-save --no-audit --no-fund --silent
	@touch $@

$(WEB_BUILT): $(NPM_STAMP) $(WEB_SOURCES) $(wildcard locales/*.po) internal/site/default.json
	@$(STAGE) 'build the web app' $(NPM) run --silent build
	@touch $@

# The program and its checks share flags, and so the build cache; the database
# engine alone takes a minute to compile.
build quick check-go check-dead check-docs gen bench-programs: export CGO_ENABLED := 0
build quick check-go check-dead check-docs gen bench-programs: export GOFLAGS := $(GOFLAGS) -trimpath

# Always runs: Go decides what to compile again.
.PHONY: build
build: toolchain $(WEB_BUILT) ## build bin/studycircle with the web app embedded
	@$(STAGE) 'build bin/studycircle' \
		go build -buildvcs=false -ldflags '-s -w -X main.version=$(VERSION)' -o bin/studycircle ./cmd/studycircle

# KEY=FILE signs with the releaser's SSH key. RELEASE=1.2.3 names the version, which git names otherwise.
# PLATFORMS=linux/amd64 builds for that one alone.
# The documentation as a site, which programs built afterwards serve at /docs.
BOOK := internal/book/dist
.PHONY: book
book: setup ## build the documentation as a site into internal/book/dist
	@find $(BOOK) -mindepth 1 ! -name .keep -delete
	@$(STAGE) 'book' hugo --quiet --noBuildLock --source docs/book --cacheDir $(abspath .cache/hugo) --destination $(abspath $(BOOK))

.PHONY: release
release: toolchain $(WEB_BUILT) book ## build packages, images, checksums and notices into dist; RELEASE=1.2.3, KEY=FILE
	@$(STAGE) 'build the release tool' env CGO_ENABLED=0 go build -C release -trimpath -o ../bin/release .
	@$(STAGE) 'release' bin/release $(RELEASE:%=-version %) $(KEY:%=-key %) $(PLATFORMS:%=-platforms %)

.PHONY: run
run: build ## build and serve sample content on http://127.0.0.1:8080
	@exec bin/studycircle serve --demo

.PHONY: test test-go test-modules test-web test-size test-e2e test-everywhere
test: setup build test-go test-modules test-web test-size test-e2e ## install what the tests need and run all tests

# SQLite and its C library, translated from C, run without the race detector: it
# makes statements four times slower, and their memory is their own. A library
# that uses sync.Map must be watched: its copies of the generic code behind it
# would hide the order of accesses from the detector.
UNWATCHED := modernc.org/sqlite/lib modernc.org/libc modernc.org/memory
RACE := -race $(UNWATCHED:%=-gcflags=%=-race=false)
# Tests wait for half of their time, for emails, clocks and processes, so two per
# core keep the cores busy.
PARALLEL := $(shell echo $$((2 * $$(nproc))))
GO_TEST := go test -parallel $(PARALLEL) -shuffle=on -timeout 30m
ONLY := env STUDYCIRCLE_TEST_ENGINE
# The packages with tests on PostgreSQL.
ON_POSTGRES = $$(go list -f '{{.ImportPath}} {{.TestImports}} {{.XTestImports}}' ./... | awk '/internal\/testpg/ { print $$1 }')

# The race detector watches the tests on SQLite. Those on PostgreSQL run the same code.
test-go: $(WEB_BUILT) ## the Go tests: on SQLite under the race detector, on PostgreSQL without it
	@$(STAGE) 'Go tests, SQLite' $(ONLY)=sqlite $(GO_TEST) $(RACE) ./...
	@$(STAGE) 'Go tests, PostgreSQL' $(ONLY)=postgres CGO_ENABLED=0 GOFLAGS=-trimpath $(GO_TEST) $(ON_POSTGRES)

test-modules:
	@$(STAGE) 'Go tests of the bench' go test -C proof/bench ./internal/...
	@$(STAGE) 'licences of dependencies' go test -C release -count=1 ./licences

.PHONY: quick test-both test-full
# The tests of whole nodes and of databases have packages of their own: internal/app/nodetest, internal/store/storetest,
# internal/store/migrations and docs/shell. A test whose package has not changed is not run again.
quick: $(WEB_BUILT) check-format ## format, vet, types, unit tests, and a node on SQLite: three minutes, for every save
	@$(STAGE) 'go vet' go vet ./...
	@$(STAGE) 'types of the web app' $(NPM) run --silent types
	@$(STAGE) 'unit tests' $(ONLY)=sqlite go test $$(go list ./... | grep -vE '/(nodetest|storetest|migrations|shell)$$')
	@$(STAGE) 'a node on SQLite' $(ONLY)=sqlite go test ./internal/app/nodetest -run 'TestAClassOfThirty|TestSubmit|TestSeveralReviews'
	@$(STAGE) 'web tests of what has changed' $(NPM) run --silent test -- --changed --passWithNoTests

test-both: $(WEB_BUILT)
	@$(STAGE) 'Go tests, both engines' $(GO_TEST) $(RACE) -timeout 90m ./...

# The drills that are left need root, or a quiet machine: alerts, exhaust, package, power.
test-full: check setup build test-both test-modules test-web test-size test-e2e test-everywhere ## before a release: all tests, on both engines under the race detector, and drills; two hours
	@for drill in classes receipts crash nodes balanced upgrade restore many release; do \
		$(MAKE) --no-print-directory drill-$$drill; done

test-web: $(NPM_STAMP) ## the web app's tests
	@$(STAGE) 'web tests' $(NPM) run --silent test

test-size: $(WEB_BUILT) ## the web app's size budget
	@$(STAGE) 'size budget' $(NPM) run --silent size

test-e2e: build ## the browser tests against the built program
	@$(STAGE) 'browser tests' $(NPM) run --silent e2e

test-everywhere: build ## what holds on every page, in some minutes
	@$(STAGE) 'browser tests on every page' $(NPM) run --silent everywhere

.PHONY: check check-generated check-format check-go check-dead check-docs check-web
check: toolchain check-generated check-format check-go check-dead check-docs check-web ## format, vet, lint, types, dead code, generated files, documentation

check-generated: $(NPM_STAMP) $(TOOLS)/sqlc
	@$(STAGE) 'generated files' scripts/unchanged $(MAKE) --no-print-directory gen words

check-format:
	@$(STAGE) 'gofmt' scripts/silent 'Not formatted (gofmt -w):' gofmt -l $(GO_SOURCES)

check-go: $(TOOLS)/golangci-lint
	@$(STAGE) 'go vet' go vet ./...
	@$(STAGE) 'go vet of drills and bench' sh -c 'go vet -C proof ./... && go vet -C proof/bench ./...'
	@$(STAGE) 'golangci-lint' $(TOOLS)/golangci-lint run ./...
	@$(STAGE) 'golangci-lint of the drills' sh -c 'cd proof && $(abspath $(TOOLS))/golangci-lint run ./...'

# From the program alone, so that a function called only by tests counts as dead;
# then with the tests, for the packages that exist for tests.
check-dead: $(TOOLS)/deadcode
	@$(STAGE) 'dead code' scripts/silent 'Nothing calls:' $(TOOLS)/deadcode ./cmd/...
	@$(STAGE) 'dead test code' scripts/silent 'Nothing calls:' $(TOOLS)/deadcode -test ./...

# Links, files, tests and commands that the documentation names must exist.
check-docs: packages $(NPM_STAMP)
	@$(STAGE) 'documentation' go test ./docs

check-web: $(NPM_STAMP)
	@$(STAGE) 'web checks' $(NPM) run --silent check

.PHONY: gen
gen: $(NPM_STAMP) $(TOOLS)/sqlc ## regenerate queries, the OpenAPI document and its client
	$(TOOLS)/sqlc generate -f internal/store/sqlc.yaml
	go test ./internal/api -run TestDocumentIsFresh -update
	$(NPM) run --silent gen

.PHONY: words
words: $(NPM_STAMP) ## collect the texts of the web app into locales/
	$(NPM) run --silent words

# Without cgo sqlc uses a WebAssembly build of PostgreSQL's parser, which compiles
# in a third of the time, and no tool needs a C compiler.
$(TOOLS)/%:
	@mkdir -p $(@D)
	@echo '*' > .cache/.gitignore
	@$(STAGE) 'build $*' env CGO_ENABLED=0 go build -C tools -trimpath -ldflags '-s -w' -o $(abspath $@) $($*)

.PHONY: bench bench-serving bench-pages bench-trust bench-check bench-programs bench-packages
bench: bench-serving bench-pages ## measure serving beside the peers, then pages, into proof/bench/results; needs a quiet machine

BENCH := proof/bench/.build/bench
# QUICK=1 stops at 100,000 assignments and takes about five minutes.
bench-serving: build bench-packages bench-programs ## measure serving; QUICK=1 for the short run
	@$(STAGE) 'serving' $(BENCH) $(if $(QUICK),-quick) serving
	@$(STAGE) 'expensive texts' go test ./internal/markdown -run '^$$' -bench MostExpensiveTexts -benchtime 1x

bench-pages: setup build ## measure pages with Lighthouse
	@$(STAGE) 'pages' $(NPM) exec --no -- node web/scripts/lighthouse.mjs

# Filling a test database with a million submissions takes a minute or two.
bench-trust: packages ## measure the grade model: accuracy under attack, cost, and the queue at a million
	@$(STAGE) 'attacks' go test ./internal/grademodel -count=1 -run TestSimulatedClasses -v
	@$(STAGE) 'attacks through the queue' env STUDYCIRCLE_TEST_ATTACKS=5 go test ./internal/app/nodetest -count=1 -run TestAttacksThroughTheQueue/sqlite -v -timeout 60m
	@$(STAGE) 'raised reviews' env STUDYCIRCLE_TEST_MONOTONE=100000 go test ./internal/grademodel -count=1 -run TestHowOftenARaisedReviewLowersTheMark -v -timeout 30m
	@$(STAGE) 'grade-model' go test ./internal/grademodel ./cmd/studycircle -run '^$$' -bench 'Grade|ArrivingReview'
	@$(STAGE) 'a review beside a grade' go test ./internal/app/nodetest -run '^$$' -bench ReviewBesideGrade -benchtime 10x
	@$(STAGE) 'the queue' go test ./internal/app/nodetest -run '^$$' -bench NextReview -benchtime 500x

bench-check: build bench-packages bench-programs ## run the short bench and fail if ratios are worse than the committed ones
	@$(STAGE) 'compare' $(BENCH) check

bench-packages:
	@$(STAGE) 'Debian packages of the bench' scripts/packages bench

# The bench has its own module: PocketBase is measured with the modules that it was released with.
bench-programs: toolchain
	@mkdir -p proof/bench/.build
	@$(STAGE) 'build the bench' go build -C proof/bench -o .build/ . ./floor ./pocketbase

.PHONY: drill-release drill-package
drill-release: ## build a release twice, in two clones, and compare every byte
	@$(STAGE) 'drill: release' scripts/release-twice

drill-package: setup-drills ## install, use, upgrade, remove and purge the package in a fresh Debian root; needs root
	@$(MAKE) --no-print-directory release PLATFORMS=linux/$$(go env GOARCH)
	@$(STAGE) 'drill: package' scripts/package-in-debian

.PHONY: setup-drills drill-alerts drill-nodes drill-balanced drill-classes drill-crash drill-exhaust drill-many drill-power drill-receipts drill-restore drill-upgrade
setup-drills: setup
	@$(STAGE) "the drills' Debian packages" scripts/packages drills

.PHONY: drills
drills: toolchain ## build bin/drills, which runs the drills
	@$(STAGE) 'build the drills' go build -C proof -buildvcs=false -o ../bin/drills ./drills

drill-alerts: setup-drills build drills ## cause the fault of every alert: it fires in a real Prometheus, and resolves; needs root
	@$(STAGE) 'drill: alerts' bin/drills alerts

drill-nodes: setup-drills build drills ## three nodes, a balancer, PostgreSQL with a standby: kill or stop each and report what users noticed
	@$(STAGE) 'drill: nodes' bin/drills nodes

drill-balanced: setup-drills build drills ## run the browser's main job and the API tests through a balancer with three nodes
	@$(STAGE) 'drill: balanced' bin/drills balanced

drill-classes: packages ## classes of 2 to 200 users under a driven clock: every submission gets its mark in time
	@$(STAGE) 'drill: classes' env STUDYCIRCLE_TEST_CLASSES=2,3,4,30,200 go test ./internal/app/nodetest -count=1 -run 'TestClasses|TestTheQueueHoldsOnThreeNodes|TestConcurrentRequestsForReviews' -v -timeout 30m

drill-crash: build drills ## 200 × kill -9 under 16 writers on SQLite: acknowledged writes survive
	@$(STAGE) 'drill: crash' bin/drills crash

drill-exhaust: setup-drills build drills ## attempts to monopolize a node, and what honest users get meanwhile; needs root
	@$(STAGE) 'drill: exhaust' bin/drills exhaust

drill-many: setup-drills build drills ## 1,000 users do the whole loop under the limits that ship, ten minutes on each engine
	@$(STAGE) 'drill: many' bin/drills many

drill-power: build drills ## 50 simulated power cuts under 16 writers; needs root
	@$(STAGE) 'drill: power' bin/drills power

MANY_RECEIPTS := internal/receipt/testdata/many.txt
drill-receipts: $(NPM_STAMP) ## 10,000 receipts, and as many flipped bits, through the three verifiers; needs python3 with cryptography
	@$(STAGE) 'receipts in Go' env STUDYCIRCLE_TEST_RECEIPTS=10000 go test ./internal/receipt -count=1 -run TestReceiptsSharedWithOtherLanguages
	@$(STAGE) 'receipts in Python' python3 scripts/verify-receipts.py $(MANY_RECEIPTS)
	@$(STAGE) 'receipts in JavaScript' $(NPM) run --silent test -- src/lib/receipt
	@rm $(MANY_RECEIPTS)

# The drill's programs have their own module.
DRILL_TOOLS := .cache/drill-tools/$(shell cat proof/drills/tools/go.mod proof/drills/tools/go.sum | sha256sum | cut -c1-16)
$(DRILL_TOOLS):
	@mkdir -p $@.new
	@echo '*' > .cache/.gitignore
	@$(STAGE) 'build litestream and an S3 server' env CGO_ENABLED=0 go build -C proof/drills/tools -trimpath -ldflags '-s -w' -o $(abspath $@.new)/ tool
	@mv $@.new $@

drill-restore: setup-drills build drills $(DRILL_TOOLS) ## kill a server under writers and restore its database, to the end and to a moment before, by litestream and by PostgreSQL's tools
	@$(STAGE) 'drill: restore' env PATH="$(abspath $(DRILL_TOOLS)):$$PATH" bin/drills restore

drill-upgrade: setup-drills build drills ## run an older and a newer program side by side across a migration, under load
	@$(STAGE) 'drill: upgrade' bin/drills upgrade

.PHONY: screenshots
screenshots: setup build ## save a screenshot of every page in e2e/screenshots
	@$(STAGE) 'screenshots' $(NPM) run --silent screenshots

.PHONY: tour
tour: setup build ## take the pictures of docs/tour.md
	@$(STAGE) "the tour's Debian packages" scripts/packages tour
	@$(STAGE) 'tour' $(NPM) run --silent screenshots -- tour.spec

.PHONY: clean
clean: ## remove everything these targets created, except data/
	rm -rf bin dist .cache proof/bench/.build proof/bench/.data web/node_modules e2e/node_modules e2e/results e2e/report e2e/screenshots
	find web/dist $(BOOK) -mindepth 1 ! -name .keep -delete
