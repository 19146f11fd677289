import { appendFileSync } from 'node:fs'
import type { Reporter, TestCase } from 'vitest/node'

/**
 * Names the tests that failed and then passed. Where FLAKY_TESTS is set, into that file too: a run of more than these
 * tests prints it at its end.
 */
export class FlakyReporter implements Reporter {
  private readonly flaky: string[] = []

  onTestCaseResult(test: TestCase): void {
    if (test.diagnostic()?.flaky)
      this.flaky.push(`flaky: ${test.module.moduleId.replace(/.*\/src\//, '')} › ${test.fullName}`)
  }

  onTestRunEnd(): void {
    for (const line of this.flaky) {
      console.log(line)
      if (process.env['FLAKY_TESTS']) appendFileSync(process.env['FLAKY_TESTS'], `${line}\n`)
    }
  }
}
