import { appendFileSync } from 'node:fs'
import type { FullConfig, Reporter, Suite, TestCase } from '@playwright/test/reporter'

/**
 * Names the tests that failed and then passed, after everything else that is said. Where FLAKY_TESTS is
 * set, into that file too: a run of more than the browser tests prints it at its end.
 */
export default class FlakyReporter implements Reporter {
  private suite: Suite | undefined

  onBegin(_: FullConfig, suite: Suite): void {
    this.suite = suite
  }

  printsToStdio(): boolean {
    return false
  }

  onEnd(): void {
    const flaky = (this.suite?.allTests() ?? []).filter((test) => test.outcome() === 'flaky')
    for (const line of flaky.map(nameOf)) {
      console.log(line)
      if (process.env.FLAKY_TESTS) appendFileSync(process.env.FLAKY_TESTS, `${line}\n`)
    }
  }
}

function nameOf(test: TestCase): string {
  const [, , ...names] = test.titlePath()
  return `flaky: ${names.join(' › ')}`
}
