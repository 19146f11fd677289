import { http, HttpResponse } from 'msw'
import { expect, test } from 'vitest'
import { cdp, userEvent } from 'vitest/browser'
import { renderPage } from '@/test/render-page'
import { markDialog, openToReview, pendingList, reviewTask } from '@/test/review'
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

/** An assignment with a discussion in which Ada may be mentioned, as a user opens it; counts the comments sent. */
async function openDiscussion(): Promise<{ sent: number }> {
  const comments = { sent: 0 }
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
      comments.sent++
      return HttpResponse.json({ insertedId: 'm1' }, { status: 201 })
    }),
  )
  await renderPage('/assignment/a1', ada)
  return comments
}

const option = page.getByRole('option', { name: 'Ada' })

// signavio/react-mentions#115, breschio/drawbridge#34
test('keys that compose a comment neither choose a user to mention nor send it', async () => {
  const comments = await openDiscussion()
  const box = textbox('Write a comment')
  await userEvent.type(box, '@')
  await expect.element(option).toBeVisible()
  await pressComposing('Enter', 'A')
  await expect.element(box).toHaveValue('@A')
  await pressComposing('Tab', 'd')
  await pressComposing('ArrowDown', 'a')
  await pressComposing('Escape', 's')
  await expect.element(box).toHaveValue('@Adas')
  await expect.element(option).toBeVisible()
  expect(comments.sent).toBe(0)
})

/** Changes the text before the caret as no key does: a menu, a drop, or an input method at its end. */
function change(box: Element, text: string): void {
  const area = box as HTMLTextAreaElement
  area.setRangeText(text, area.selectionStart, area.selectionEnd, 'end')
}

test('a mention replaces what is typed at that moment, also after a composition or a paste', async () => {
  await openDiscussion()
  const box = textbox('Write a comment')
  await userEvent.type(box, 'Hi @')
  await expect.element(option).toBeVisible()
  await pressComposing('Enter', 'あ')
  await option.click()
  await expect.element(box).toHaveValue('Hi @Ada ')

  await userEvent.fill(box, '')
  await userEvent.type(box, '@')
  await expect.element(option).toBeVisible()
  document.execCommand('insertText', false, 'Ad')
  await userEvent.keyboard('{Enter}')
  await expect.element(box).toHaveValue('@Ada ')

  await userEvent.fill(box, '')
  await userEvent.type(box, '@')
  await expect.element(option).toBeVisible()
  change(box.element(), 'd')
  await option.click()
  await expect.element(box).toHaveValue('@Ada ')
})

// Tatoeba/tatoeba2#548, asciimoo/hister#641
test('Enter that confirms a word neither takes a phrase nor sends a review', async () => {
  let sent = 0
  serve(
    pendingList(openToReview),
    http.post('*/api/reviews/next', () => HttpResponse.json(reviewTask)),
    http.get('*/api/phrases', () => HttpResponse.json({ phrases: ['Well argued.'] })),
    http.patch('*/api/submissions/*', () => {
      sent++
      return HttpResponse.json({ modifiedCount: 1 })
    }),
    http.get('*/api/assignment/*', () => HttpResponse.json(sampleAssignment())),
  )
  await renderPage('/pending-assignments', ada)
  await button('Review next').click()
  const feedback = textbox('Feedback', markDialog)
  await userEvent.type(feedback, 'we')
  const list = page.getByRole('listbox', { name: 'Your phrases' })
  await expect.element(list).toBeVisible()
  await pressComposing('ArrowDown', 'l')
  await pressComposing('Enter', 'l')
  await expect.element(feedback).toHaveValue('well')
  await expect.element(list).toBeVisible()
  await userEvent.keyboard('{ArrowDown}{Enter}')
  await expect.element(feedback).toHaveValue('Well argued.')
  await markDialog.getByRole('spinbutton', { name: 'Marks' }).click()
  await pressComposing('Enter', '1')
  expect(sent).toBe(0)
})
