import { mkdtemp, open, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { check, phone } from '../support/accessible'
import { expect, test, type Page } from '../support/test'

/** The grade lab: marks by each model of a file that never leaves the browser. */

const header = 'assignment,submission,reviewer,mark,total\n'
const golden = join(__dirname, '../../internal/grademodel/testdata/golden1.csv')

const choose = (page: Page, text: string) =>
  page
    .getByLabel('Reviews', { exact: true })
    .setInputFiles({ name: 'R.csv', mimeType: 'text/csv', buffer: Buffer.from(text) })

const marks = (page: Page) => page.getByRole('table', { name: 'Marks by each model' })

test('a file gets the marks of the golden file, and nothing is uploaded', async ({ page }) => {
  await page.goto('/lab')
  await expect(page).toHaveTitle('Grade lab | StudyCircle')
  await expect(page.getByLabel('Reviews', { exact: true })).toBeVisible()
  const sent: string[] = []
  page.on('request', (request) => {
    if (request.method() !== 'GET' || request.url().includes('/api/')) sent.push(request.url())
  })
  await choose(page, await readFile(golden, 'utf8'))
  await expect(page.getByRole('main').getByRole('status')).toHaveText(
    '4 submissions, 10 reviews by 4 reviewers.',
  )
  const s3 = marks(page).getByRole('row', { name: /s3/ })
  await expect(s3.getByRole('cell')).toHaveText([
    's3A, of 20',
    '3',
    '15.3111.1 to 18.5',
    '14.409.9 to 18.0',
    '14.409.9 to 18.0',
    '13.00',
    '17.00',
  ])
  await page.getByLabel('Known marks (optional)').setInputFiles({
    name: 'K.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from('assignment,submission,mark\nA,s1,12\n'),
  })
  await expect(s3.getByRole('cell').nth(2)).toHaveText('14.6610.0 to 18.3')
  await expect(marks(page).getByRole('row', { name: /s1/ })).toContainText('known to be 12')
  expect(sent).toEqual([])
})

test('the sample class: the generous reviewer counts least, may be left out, and the marks are downloaded', async ({
  page,
}) => {
  await page.goto('/lab')
  await page.getByRole('button', { name: 'Use the sample class' }).press('Enter')
  await expect(page.getByRole('main').getByRole('status')).toHaveText(
    '12 submissions, 36 reviews by 12 reviewers.',
  )
  const reviewers = page.getByRole('table', { name: 'Reviewers, least weight first' })
  await expect(reviewers.getByRole('row').nth(1)).toContainText('u12')
  await page.getByLabel('Leave out a reviewer').selectOption('u12')
  await expect(marks(page).getByRole('columnheader')).toHaveText([
    'Submission',
    'Reviews',
    'SC2',
    'SC1K',
    'SC1',
    'Mean',
    'Median',
    'SC2 without',
  ])
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download' }).click()
  const file = await readFile(await (await downloading).path(), 'utf8')
  expect(file.split('\n')).toHaveLength(14)
  expect(file).toContain(
    'assignment,submission,reviews,SC2,SC2 low80,SC2 high80,SC1K,SC1K low80,SC1K high80,SC1,SC1 low80,SC1 high80,mean,median\n',
  )
})

const wrong: [string, string][] = [
  ['', 'The file is empty. Its first line is assignment,submission,reviewer,mark,total.'],
  [
    'a,b\n',
    'Line 1: the first line is not assignment,submission,reviewer,mark,total: no column is named assignment.',
  ],
  [header, 'The file has no reviews.'],
  [`${header}A,s1,u1,21,20\n`, 'Line 2: the mark “21” is not from 0 to the total, 20.'],
  [`${header}A,s1,u1,x,20\n`, 'Line 2: the mark “x” is not a number.'],
  [`${header}A,s1,u1,1,0\n`, 'Line 2: the total is “0”; a total is a whole number from 1 to 1000000.'],
  [`${header}A,"s\n1",u1,1,20\n\nA,s1,u1\n`, `Line 5: 3 columns instead of 5: ${header.trim()}.`],
  [`${header}A,s1,u1,1,20\nA,s1,u1,1,20\n`, 'Line 3: “u1” has reviewed submission “s1” in line 2 already.'],
  [`${header}A,s1,u1,1,20\nA,s1,u2,1,25\n`, 'Line 3: the total of submission “s1” is 25 here and 20 above.'],
  [`${header}A,s1,,1,20\n`, 'Line 2: the reviewer is empty.'],
  [`${header}A,s1,u\0,1,20\n`, 'Line 2: the reviewer contains a NUL character.'],
  [`${header}A,s1,"u"1,1,20\n`, 'Line 2: a quotation mark (") is out of place.'],
]

test('a wrong file is named with its line, and the next one is read', async ({ page }) => {
  await page.goto('/lab')
  for (const [text, message] of wrong) {
    await choose(page, text)
    await expect(page.getByRole('main').getByRole('status')).toHaveText(message)
    await expect(marks(page)).toBeHidden()
  }
  await choose(page, `${header}A,s1,u1,11,20\n`)
  await expect(page.getByRole('main').getByRole('status')).toHaveText('1 submission, 1 review by 1 reviewer.')
})

test('names are shown as text and written so that no spreadsheet evaluates them', async ({ page }) => {
  await page.goto('/lab')
  const name = '<img src=x onerror=alert(1)>'
  await choose(page, `${header}A,"=1+1",${name},11,20\nA,__proto__,constructor,12,20\n`)
  await expect(page.getByRole('table', { name: /^Reviewers/ })).toContainText(name)
  await expect(marks(page)).toContainText('__proto__')
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download' }).click()
  expect(await readFile(await (await downloading).path(), 'utf8')).toContain("A,'=1+1,1,")
})

test('files far too large are refused and the page goes on', async ({ page }) => {
  const folder = await mkdtemp(join(tmpdir(), 'lab-'))
  try {
    const large = join(folder, 'large.csv')
    const file = await open(large, 'w')
    await file.truncate(100_000_000)
    await file.close()
    await page.goto('/lab')
    await page.getByLabel('Reviews', { exact: true }).setInputFiles(large)
    await expect(page.getByRole('main').getByRole('status')).toHaveText(
      'The file has 100 MB; this page reads up to 20 MB. For more, run studycircle grade-model.',
    )
    const lines = Array.from({ length: 1_000_000 }, (_, at) => `A,${at >> 2},${at & 3},9,9`)
    await choose(page, header + lines.join('\n'))
    await expect(page.getByRole('main').getByRole('status')).toHaveText(
      'Line 100002: this page takes up to 100,000 reviews. For more, run studycircle grade-model.',
    )
    await page.getByRole('button', { name: 'Use the sample class' }).click()
    await expect(marks(page)).toBeVisible()
  } finally {
    await rm(folder, { recursive: true })
  }
})

test('ten thousand reviews are graded beside the page', async ({ page }) => {
  await page.goto('/lab')
  const lines = Array.from({ length: 10_000 }, (_, at) => {
    const submission = Math.floor(at / 4)
    return `${submission % 10},${submission},u${(submission * 7 + (at % 4) * 13) % 2500},${(at * 7919) % 21},20`
  })
  await choose(page, header + lines.join('\n'))
  await expect(page.getByRole('main').getByRole('status')).toHaveText(
    '2,500 submissions, 10,000 reviews by 2,500 reviewers.',
  )
  await expect(marks(page).getByRole('row')).toHaveCount(51)
  await page.getByRole('button', { name: 'Show more of 2,500' }).first().click()
  await expect(marks(page).getByRole('row')).toHaveCount(251)
})

test.describe('on a phone', () => {
  test.use(phone)

  test('the lab is accessible, empty and with a class', async ({ page }) => {
    await page.goto('/lab')
    await expect(page.getByRole('button', { name: 'Use the sample class' })).toBeVisible()
    await check(page, 'the empty lab')
    await page.getByRole('button', { name: 'Use the sample class' }).click()
    await page.getByLabel('Leave out a reviewer').selectOption('u5')
    await expect(marks(page)).toBeVisible()
    await check(page, 'the lab with a class')
  })
})
