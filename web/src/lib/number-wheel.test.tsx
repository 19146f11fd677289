import { expect, test } from 'vitest'
import { cdp, page } from 'vitest/browser'
import { render } from '@/test/render'
import { TextInput } from '@/components/ui'

async function wheel(over: Element, deltaY: number): Promise<void> {
  const { left, top } = over.getBoundingClientRect()
  const frame = window.frameElement?.getBoundingClientRect()
  await cdp().send('Input.dispatchMouseEvent', {
    type: 'mouseWheel',
    x: (frame?.left ?? 0) + left + 10,
    y: (frame?.top ?? 0) + top + 10,
    deltaX: 0,
    deltaY,
  })
}

// Coursemology/coursemology2#2663 and #3571, UM-USElab/gradecraft-development#4300,
// learning-unlimited/ESP-Website#4714, rijksuniversiteit-groningen/b2-AssessmentTools#72: a mark changes while its
// grader scrolls.
test('the wheel over the focused number leaves it and the focus as they are, and keys still change it', async () => {
  let wheeled: unknown[] = []
  await render(
    <div onWheel={({ target }) => wheeled.push(target)}>
      <TextInput label="Marks" type="number" defaultValue="50" />
      <TextInput label="Total" type="number" defaultValue="7" readOnly />
    </div>,
  )
  for (const [name, value] of [
    ['Marks', '50'],
    ['Total', '7'],
  ] as const) {
    const box = page.getByRole('spinbutton', { name })
    await box.click()
    wheeled = []
    for (const delta of [120, 120, 1]) await wheel(box.element(), delta)
    await expect.poll(() => wheeled).toContain(box.element())
    await expect.element(box).toHaveValue(Number(value))
    await expect.element(box).toHaveFocus()
    await expect.poll(() => (box.element() as HTMLInputElement).readOnly).toBe(name === 'Total')
  }
  const marks = page.getByRole('spinbutton', { name: 'Marks' })
  await marks.click()
  await cdp().send('Input.dispatchKeyEvent', {
    type: 'rawKeyDown',
    key: 'ArrowUp',
    code: 'ArrowUp',
    windowsVirtualKeyCode: 38,
  })
  await expect.element(marks).toHaveValue(51)
})
