import { http, HttpResponse } from 'msw'
import { expect, test } from 'vitest'
import { cdp, userEvent } from 'vitest/browser'
import { renderPage } from '@/test/render-page'
import { ada, sampleAssignment } from '@/test/samples'
import { biology, listOf, serveCircle } from '@/test/circles'
import { button, textbox } from '@/test/screen'
import { serve } from '@/test/serve'
import { page } from 'vitest/browser'

/** Presses a key as an input method hears it: while a word is being composed in the focused box. */
async function pressComposing(key: string, word = 'にほん'): Promise<void> {
  const keyboard = cdp()
  await keyboard.send('Input.imeSetComposition', {
    text: word,
    selectionStart: word.length,
    selectionEnd: word.length,
  })
  const heard = { key, code: key, windowsVirtualKeyCode: 229 }
  await keyboard.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', ...heard })
  await keyboard.send('Input.dispatchKeyEvent', { type: 'keyUp', ...heard })
  await keyboard.send('Input.insertText', { text: word })
}

test('Enter that confirms a word does not save a rubric, and Escape does not leave it', async () => {
  const saved: unknown[] = []
  serve(
    http.get('*/api/rubrics', () => HttpResponse.json({ data: [] })),
    http.post('*/api/rubrics', async ({ request }) => {
      saved.push(await request.json())
      return HttpResponse.json({ insertedId: 'q1' }, { status: 201 })
    }),
  )
  await renderPage('/create-assignment', ada)
  await page.getByRole('combobox', { name: 'Reviews needed' }).selectOptions('2')
  await button('Add a criterion').click()
  await button('Save this rubric').click()
  const name = textbox('Name of the rubric')
  await name.click()
  await pressComposing('Enter')
  await pressComposing('Escape', '語')
  await expect.element(name).toHaveValue('にほん語')
  await userEvent.keyboard('{Enter}')
  await expect.element(button('Save this rubric')).toHaveFocus()
  expect(saved).toMatchObject([{ name: 'にほん語' }])
})

test('Enter that confirms a word does not search', async () => {
  const searched: string[] = []
  serveCircle(
    () => biology,
    http.get('*/api/circle/c1/members', ({ request }) => {
      searched.push(new URL(request.url).searchParams.get('search') ?? '')
      return HttpResponse.json(listOf())
    }),
  )
  await renderPage('/circle/c1?tab=settings', ada)
  await button('Hand over').click()
  const dialog = page.getByRole('dialog', { name: 'Hand over this circle' })
  await dialog.getByRole('searchbox').click()
  await pressComposing('Enter')
  await userEvent.keyboard('{Enter}')
  await expect.poll(() => searched.at(-1)).toBe('にほん')
  expect(searched.filter(Boolean)).toEqual(['にほん'])
})

test('keys that compose a comment neither choose a user to mention nor send it', async () => {
  let sent = 0
  serve(
    http.get('*/api/assignment/a1', () =>
      HttpResponse.json({ ...sampleAssignment(), creatorEmail: 'ben@example.org' }),
    ),
    http.get('*/api/progress', () => HttpResponse.json({ data: [] })),
    http.get('*/api/submissions', () => HttpResponse.json([])),
    http.get('*/api/assignment/a1/results', () => HttpResponse.json({ total: 0, marked: 0 })),
    http.get('*/api/assignment/a1/participants', () =>
      HttpResponse.json({ data: [{ authorId: 'u1', displayName: 'Ada' }] }),
    ),
    http.get('*/api/assignment/a1/comments', () => HttpResponse.json({ ...listOf(), discussion: 'open' })),
    http.post('*/api/assignment/a1/comments', () => {
      sent++
      return HttpResponse.json({ insertedId: 'm1' }, { status: 201 })
    }),
  )
  await renderPage('/assignment/a1', ada)
  const box = textbox('Write a comment')
  await userEvent.type(box, '@')
  await expect.element(page.getByRole('option', { name: 'Ada' })).toBeVisible()
  await pressComposing('Enter', 'A')
  await expect.element(box).toHaveValue('@A')
  expect(sent).toBe(0)
})
