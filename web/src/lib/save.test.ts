import { afterEach, expect, test, vi } from 'vitest'
import { save } from './save'

afterEach(() => vi.restoreAllMocks())

test('a file has its address until the browser has had time to read it', () => {
  vi.useFakeTimers()
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {})
  const revoked = vi.spyOn(URL, 'revokeObjectURL')
  save(new Blob(['a']), 'a.txt')
  expect(revoked).not.toHaveBeenCalled()
  vi.runAllTimers()
  expect(revoked).toHaveBeenCalledOnce()
  vi.useRealTimers()
})
