import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { signIn, type Api, type User } from '../support/api'
import { settled, typeEverywhere, valuesIn } from '../support/everywhere'
import { login, uniqueWord } from '../support/product'
import { expect, test, type Page } from '../support/test'

/** What is typed into a form outlives Escape, a reload and the end of the session, in every form of the app. */

interface Desk {
  ada: User
  ben: User
  cleo: User
  circle: string
  /** Ada's assignments in the circle: for one to mark, for two to review, and for Ben to hand in. */
  graded: string
  reviewed: string
  untaken: string
  /** Ben's mark of `reviewed`. */
  mark: string
}

interface Form {
  who: 'ada' | 'ben' | 'cleo'
  at: (desk: Desk) => string
  /** The buttons that lead to it. */
  press: string[]
  /** One of its text boxes. */
  box: string
}

/** `way`: the buttons in their order, and the box. */
const form = (who: Form['who'], at: Form['at'], ...way: string[]): Form => ({
  who,
  at,
  press: way.slice(0, -1),
  box: way.at(-1) ?? '',
})

const pending = ({ circle }: Desk) => `/circle/${circle}?tab=pending`
const members = ({ circle }: Desk) => `/circle/${circle}?tab=members`
const graded = (desk: Desk) => `/assignment/${desk.graded}`
const reviewed = (desk: Desk) => `/assignment/${desk.reviewed}`
const own = () => '/attemded-assignments'

/** The files with forms: the forms, or why a form keeps nothing or is not opened here. */
const files: Record<string, Form[] | string> = {
  'components/ui/reason-dialog': [
    form('ben', ({ mark }) => `/submission/${mark}/mark`, 'Appeal', 'Reason'),
    form('ada', ({ circle }) => `/circle/${circle}?tab=reports`, 'Hide', 'Reason'),
  ],
  'components/ui/reason-input': 'a box of other forms',
  'entities/assignment/extra-time-dialog': [form('ada', graded, 'Extra time', 'Due date for this student')],
  'entities/report/report-dialog': [form('ben', graded, 'Report', 'Reason')],
  'entities/rubric/rubric-fields':
    'a part of mark-dialog, decision-dialog, exemplar-dialog and assess-dialog',
  'entities/submission/send-back-dialog': [form('ada', pending, 'Give Mark', 'Send back', 'Reason')],
  'features/assignments/assignment-form': [
    form('ada', () => '/create-assignment', 'Title'),
    form('ada', ({ untaken }) => `/assignment/update/${untaken}`, 'Title'),
  ],
  'features/assignments/copy-dialog': [form('ada', graded, 'Copy', 'Due Date')],
  'features/assignments/description-field': 'a part of assignment-form',
  'features/auth/forgot-page': 'a visitor’s page, reloaded by drafts.spec',
  'features/auth/login-page': 'a visitor’s page, reloaded by the walk over every page',
  'features/auth/register-page': 'a visitor’s page, reloaded by the walk over every page',
  'features/auth/reset-page': 'a password',
  'features/circles/hand-over-dialog': 'a choice among members',
  'features/circles/invite-dialog': [form('ada', members, 'Invite', 'Section')],
  'features/circles/link-dialog': 'the link is a secret',
  'features/circles/member-dialog': [form('ada', members, 'Actions', 'Edit', 'Name in this circle')],
  'features/circles/new-circle-dialog': [form('ada', () => '/circles', 'New circle', 'Description')],
  'features/circles/settings-tab': [
    form('ada', ({ circle }) => `/circle/${circle}?tab=settings`, 'Description'),
  ],
  'features/comments/composer': [
    form('ben', graded, 'Write a comment'),
    form('ben', graded, 'Edit', 'Edit comment'),
    form('ben', graded, 'Reply', 'Write a reply'),
  ],
  'features/notifications/notification-settings': [form('ada', () => '/profile', 'Remind me, days before')],
  'features/profile/change-email-dialog': [form('ada', () => '/profile', 'Change email', 'New email')],
  'features/profile/delete-account-dialog': 'a question, answered by an address',
  'features/profile/passkey-name-dialog': 'one line, and there is no passkey to name',
  'features/profile/password-form': 'passwords',
  'features/profile/profile-form': [form('ada', () => '/profile', 'Name')],
  'features/reviews/exemplar-dialog': [form('ada', reviewed, 'Add an exemplar', 'Reason')],
  'features/reviews/decision-dialog': [
    form('ada', reviewed, 'Mark it myself', 'Reason'),
    form('ada', reviewed, 'Ask for another look', 'Reason'),
  ],
  'features/reviews/reply-form': [form('ben', ({ mark }) => `/submission/${mark}/mark`, 'Reply', 'Reply')],
  'features/submissions/answer-dialog': [form('ben', own, 'Answer a reviewer', 'Your answer')],
  'features/submissions/assess-dialog': 'levels are chosen',
  'features/submissions/feedback-field': 'a part of mark-dialog',
  'features/submissions/mark-dialog': [
    form('ada', pending, 'Give Mark', 'Feedback'),
    form('ben', pending, 'Continue', 'Feedback'),
    form('cleo', () => '/reviews', 'Correct', 'Feedback'),
  ],
  'features/submissions/phrases-dialog': [
    form('ada', pending, 'Give Mark', 'My phrases', 'One phrase per line'),
  ],
  'features/submissions/question-box': [form('ben', pending, 'Continue', 'Ask a question', 'Your question')],
  'features/submissions/submission-dialog': [
    form('ben', ({ untaken }) => `/assignment/${untaken}`, 'Take Assignment', 'Note'),
    form('ben', own, 'Change', 'Note'),
  ],
}

const rubric = {
  criteria: [{ title: 'Argument', levels: [0, 20].map((marks) => ({ label: `Level ${marks}`, marks })) }],
}

/** A circle with something to do in every form. */
async function deskOf(api: Api): Promise<Desk> {
  const [ada, ben, cleo] = [await api.user('Ada'), await api.user('Ben'), await api.user('Cleo')]
  const circle = await api.circle(ada.token, { name: uniqueWord() })
  const link = await api.invite(ada.token, circle)
  for (const { token } of [ben, cleo]) await api.join(token, link)
  const publish = (fields: object = {}) =>
    api.assignment(ada.token, { title: uniqueWord(), circleId: circle, ...fields })
  const twice = { reviewsNeeded: 2, rubric }
  const [forOne, untaken, asked, toReview] = [
    await publish(),
    await publish(),
    await publish(twice),
    await publish(twice),
  ]
  await api.submission(ben.token, forOne)
  const comment = await api.comment(cleo.token, forOne, 'What is a tide?')
  await api.comment(ben.token, forOne, 'The sea, up and down.', comment)
  await api.reportComment(ben.token, comment, 'It is off topic.')

  await api.submission(ben.token, asked)
  await api.question(cleo.token, await api.reserve(cleo.token, asked), 'Which edition do you quote?')
  await api.reviewByLevels(cleo.token, asked, [1], 'Well done.')

  const mark = await api.submission(ben.token, toReview)
  await api.submission(cleo.token, toReview)
  await api.reviewByLevels(cleo.token, toReview, [1], 'Well done.')
  await api.settle(ada.token, mark)
  await api.reserve(ben.token, toReview)
  return { ada, ben, cleo, circle, graded: forOne, reviewed: toReview, untaken, mark }
}

const dialogs = (page: Page) => page.getByRole('dialog')

/** Opens a form; returns where its boxes are. */
async function open(page: Page, { press, box }: Form) {
  for (const name of press) await page.getByRole('button', { name, exact: true }).first().click()
  await expect(page.getByRole('textbox', { name: box, exact: true }).last()).toBeVisible()
  return (await dialogs(page).count()) > 0 ? dialogs(page).last() : page.getByRole('main')
}

test('every file with a form is named', () => {
  const source = join(__dirname, '../../web/src')
  const found = globSync('{components,entities,features}/**/*.tsx', { cwd: source })
    .filter((file) => !file.endsWith('.test.tsx'))
    .filter((file) =>
      /\buse(SchemaForm|Draft|TextDraft)(<.*>)?\(|<(TextArea|MarkdownArea)\b/.test(
        readFileSync(join(source, file), 'utf8'),
      ),
    )
    .map((file) => file.replace(/\.tsx$/, ''))
  expect(found.toSorted()).toEqual(Object.keys(files).toSorted())
})

for (const who of ['ada', 'ben', 'cleo'] as const) {
  const forms = Object.entries(files).flatMap(([file, some]) =>
    typeof some === 'string' ? [] : some.filter((one) => one.who === who).map((one) => ({ file, one })),
  )
  test(`${who}: what is typed is there after Escape, a reload and another sign-in`, async ({ page, api }) => {
    test.slow()
    const desk = await deskOf(api)
    await signIn(page, desk[who], '/about-Us')
    const typed: string[][] = []
    for (const { file, one } of forms) {
      await test.step(`${file}: ${one.press.join()}`, async () => {
        await page.goto(one.at(desk))
        await settled(page)
        typed.push(await typeEverywhere(await open(page, one)))
        if ((await dialogs(page).count()) === 0) return
        while (await dialogs(page).count()) {
          const before = await dialogs(page).count()
          await page.keyboard.press('Escape')
          await expect(dialogs(page)).toHaveCount(before - 1)
        }
        const again = await open(page, one)
        await expect.poll(() => valuesIn(again), `${file} after Escape`).toEqual(typed.at(-1))
      })
    }
    await page.context().clearCookies()
    await page.goto('/dashboard')
    await expect(page).toHaveURL(/\/auth\/login$/)
    await login(page, desk[who])
    for (const [at, { file, one }] of forms.entries()) {
      await test.step(`${file}: ${one.press.join()}`, async () => {
        await page.goto(one.at(desk))
        await settled(page)
        const again = await open(page, one)
        await expect.poll(() => valuesIn(again), `${file} after another sign-in`).toEqual(typed[at])
      })
    }
  })
}
