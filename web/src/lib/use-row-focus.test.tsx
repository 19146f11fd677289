import { useRef, useState } from 'react'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { render } from '@/test/render'
import { useRowFocus } from './use-row-focus'

function Rows() {
  const [rows, setRows] = useState(['first', 'second', 'third'])
  const heading = useRef<HTMLHeadingElement>(null)
  const { container, onFocus } = useRowFocus<HTMLDivElement>('li', heading)
  return (
    <>
      <h2 ref={heading} tabIndex={-1}>
        Rows
      </h2>
      <div ref={container} onFocus={onFocus}>
        <ul>
          {rows.map((row) => (
            <li key={row}>
              <button type="button">Open {row}</button>
              <button type="button" onClick={() => setRows(rows.filter((other) => other !== row))}>
                Remove {row}
              </button>
            </li>
          ))}
        </ul>
      </div>
    </>
  )
}

test('the focus goes to the row that took the place, and at last to the heading', async () => {
  await render(<Rows />)
  const button = (name: string) => page.getByRole('button', { name })
  await button('Remove second').click()
  await expect.element(button('Open third')).toHaveFocus()
  await button('Remove third').click()
  await expect.element(button('Open first')).toHaveFocus()
  await button('Remove first').click()
  await expect.element(page.getByRole('heading', { name: 'Rows' })).toHaveFocus()
})
