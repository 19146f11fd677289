import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { check, phone } from '../support/accessible'
import { signIn } from '../support/api'
import { answerBox, row, submitWork, uniqueWord } from '../support/product'
import { test as base, expect, serverWith } from '../support/test'

/** Documents on this machine, which only a server with that setting fetches. */
const documents: Record<string, string> = {
  '/closed': '<form><input type="password"></form>',
  '/named': '<h1>Tides</h1><p>By Ben Benson</p>',
  '/menu': '<nav><form><input type="password"></form></nav><h1>Tides</h1>',
  '/robots': '<h1>Tides</h1>',
}

const test = base.extend<object, { documentsAt: string }>({
  server: [...serverWith('--link-checks=any')],
  documentsAt: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright finds out what a fixture needs from this pattern
    async ({}, use) => {
      const served = createServer((request, response) => {
        const page = documents[request.url ?? '']
        const refused = request.url === '/robots' && !request.headers['user-agent']?.startsWith('Mozilla/')
        if (request.url === '/challenge') response.setHeader('Cf-Mitigated', 'challenge')
        response.writeHead(refused ? 403 : page ? 200 : 404, { 'Content-Type': 'text/html' }).end(page)
      })
      await new Promise<void>((ready) => void served.listen(0, '127.0.0.1', ready))
      await use(`http://127.0.0.1:${(served.address() as AddressInfo).port}`)
      served.close()
    },
    { scope: 'worker' },
  ],
})

test.use(phone)

test('a submitter learns within seconds of a bad link and its remedy', async ({ page, api, documentsAt }) => {
  const [ada, ben] = [await api.user('Ada'), await api.user('Ben')]
  const title = uniqueWord()
  const id = await api.assignment(ada.token, { title })
  await signIn(page, ben, `/assignment/${id}`)
  await submitWork(page, `${documentsAt}/closed`)
  await page.getByRole('link', { name: 'My Submitted' }).click()
  const hint = row(page, title).getByRole('note', { name: 'Document link' })
  await expect(hint).toHaveText(
    "Readers of this document have to sign in. Share it as 'Anyone with the link: Viewer', so that it can be read.",
  )
  await check(page, 'a document that asks to sign in')
  const change = async (path: string, before = '') => {
    await row(page, title).getByRole('button', { name: 'Change' }).click()
    const dialog = page.getByRole('dialog', { name: 'Change Submission' })
    const link = dialog.getByRole('textbox', { name: 'Google Docs Link' })
    await link.fill(before + documentsAt + path)
    await link.press('Tab')
    await expect(link).toHaveValue(documentsAt + path)
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(dialog).toHaveCount(0)
  }
  await change('/nothing')
  await expect(hint).toHaveText(
    'The site says that there is no document at this link. Change the link, so that it can be read.',
  )
  await change('/menu')
  await expect(hint).toHaveCount(0)
  await change('/challenge', 'Look at my essay ')
  await expect(hint).toHaveText('We could not check this link. Open it in a private window to be sure.')
  await change('/robots')
  await expect(hint).toHaveCount(0)
})

test('where several review, a bad link is withdrawn, as it cannot be changed', async ({
  page,
  api,
  documentsAt,
}) => {
  const [ada, ben] = [await api.user('Ada'), await api.user('Ben Benson')]
  const title = uniqueWord()
  const id = await api.assignment(ada.token, { title, reviewsNeeded: 2 })
  const handIn = async (path: string) => {
    await page.goto(`/assignment/${id}`)
    await submitWork(page, documentsAt + path)
    await page.goto('/attemded-assignments')
  }
  await signIn(page, ben, '/')
  await handIn('/nothing')
  const hint = row(page, title).getByRole('note', { name: 'Document link' })
  await expect(hint).toHaveText(
    'The site says that there is no document at this link. Withdraw the submission and hand it in again with the right link.',
  )
  await expect(row(page, title).getByRole('button', { name: 'Change' })).toHaveCount(0)
  await row(page, title).getByRole('button', { name: 'Withdraw' }).click()
  await answerBox(page, 'Are you sure?', null, 'Yes, withdraw it')
  await expect(row(page, title)).toHaveCount(0)
  await handIn('/named')
  await expect(hint).toHaveText('Your name or email is in this document: reviewers could see whose it is.')
})
