import { expect, type APIRequest, type APIResponse, type Page } from '@playwright/test'
import { newPerson, type Person } from './product'
import { rememberSecrets } from './secrets'

type Cookies = Parameters<ReturnType<Page['context']>['addCookies']>[0]

/** A person with an account and the session of their registration. */
export interface User extends Person {
  token: string
  cookies: Cookies
}

/** Opens a page signed in. The sign-in forms have their own tests. */
export async function signIn(page: Page, { cookies }: User, path: string): Promise<void> {
  await page.context().addCookies(cookies)
  await page.goto(path)
}

/** Prepares data by the API. */
export class Api {
  private readonly request: APIRequest
  private readonly url: string
  private readonly submitted: { token: string; id: string }[] = []

  constructor(request: APIRequest, url: string) {
    this.request = request
    this.url = url
  }

  user(name: string): Promise<User> {
    return this.register(newPerson(name))
  }

  async register(person: Person): Promise<User> {
    const registration = {
      name: person.name,
      email: person.email,
      photoURL: `${this.url}/favicon.svg`,
      password: person.password,
    }
    return this.ask('POST', '/api/auth/register', null, registration, async (response, cookies) => {
      expect(response.status()).toBe(201)
      const { accessToken } = (await response.json()) as { accessToken: string }
      return { ...person, token: accessToken, cookies }
    })
  }

  async assignment(
    token: string,
    fields: {
      title: string
      description?: string
      level?: string
      marks?: number
      dueDate?: string
      reviewsNeeded?: number
      rubric?: object
      circleId?: string
    },
  ): Promise<string> {
    const { insertedId } = await this.call('POST', '/api/assignments', token, {
      description: 'Say what you think.',
      marks: 20,
      level: 'easy',
      thumbnail: `${this.url}/favicon.svg`,
      dueDate: new Date(Date.now() + 10 * 86_400_000).toISOString(),
      ...fields,
    })
    return String(insertedId)
  }

  async submission(token: string, assignmentId: string, note?: string): Promise<string> {
    const docsLink = 'https://docs.google.com/document/d/1'
    const body = { assignmentId, docsLink, ...(note && { note }) }
    const id = String((await this.call('POST', '/api/submissions', token, body)).insertedId)
    this.submitted.push({ token, id })
    return id
  }

  /**
   * Withdraws the submissions that still wait for a mark. The pending list shows ten, oldest first: rows that a test
   * leaves there would hide those of later tests.
   */
  async withdrawAll(): Promise<void> {
    for (const { token, id } of this.submitted) {
      const status = await this.ask('DELETE', `/api/submissions/${id}/own`, token, undefined, (response) =>
        Promise.resolve(response.status()),
      )
      // Or it is graded or withdrawn, or its owner's session has ended with their account.
      expect([200, 401, 404, 409], `withdrawing ${id}`).toContain(status)
    }
  }

  async withdraw(token: string, submissionId: string): Promise<void> {
    await this.call('DELETE', `/api/submissions/${submissionId}/own`, token)
  }

  async grade(token: string, submissionId: string, marks: number, feedback?: string): Promise<void> {
    await this.call('PATCH', `/api/submissions/${submissionId}`, token, {
      marks,
      ...(feedback && { feedback }),
    })
  }

  async appeal(token: string, submissionId: string, reason: string): Promise<void> {
    await this.call('POST', `/api/submissions/${submissionId}/appeal`, token, { reason })
  }

  /** Comments on an assignment, in a thread if `parentId` is given. */
  async comment(token: string, assignmentId: string, text: string, parentId?: string): Promise<string> {
    const body = { text, ...(parentId && { parentId }) }
    return String(
      (await this.call('POST', `/api/assignment/${assignmentId}/comments`, token, body)).insertedId,
    )
  }

  /** Reports an assignment. */
  async report(token: string, assignmentId: string, reason: string): Promise<void> {
    await this.call('POST', `/api/assignment/${assignmentId}/report`, token, { reason })
  }

  async reportComment(token: string, id: string, reason: string): Promise<void> {
    await this.call('POST', `/api/comment/${id}/report`, token, { reason })
  }

  async deleteComment(token: string, id: string): Promise<void> {
    await this.call('DELETE', `/api/comment/${id}`, token)
  }

  async remind(token: string, assignmentId: string): Promise<void> {
    await this.call('PUT', `/api/assignment/${assignmentId}/reminder`, token, { remind: true })
  }

  /** Reviews the next submission of an assignment by its rubric: a level of each criterion, counted from 0. */
  async reviewByLevels(token: string, assignmentId: string, levels: number[], feedback = ''): Promise<void> {
    const submissionId = await this.reserve(token, assignmentId)
    await this.call('PATCH', `/api/submissions/${submissionId}`, token, { levels, feedback })
  }

  /** Reserves the next submission of an assignment for a review. */
  async reserve(token: string, assignmentId: string): Promise<string> {
    const { submissionId } = await this.call('POST', '/api/reviews/next', token, { assignmentId })
    return String(submissionId)
  }

  /** Asks the submitter of a reserved submission. */
  async question(token: string, submissionId: string, text: string): Promise<void> {
    await this.ask('POST', `/api/submissions/${submissionId}/question`, token, { text }, (response) => {
      expect(response.ok(), `${response.status()}`).toBe(true)
      return Promise.resolve()
    })
  }

  /** Settles a submission with the reviews it has, as its assignment's creator. */
  async settle(token: string, submissionId: string): Promise<void> {
    await this.call('POST', `/api/submissions/${submissionId}/settle`, token)
  }

  /** Hands in sample work of a known mark. */
  async exemplar(token: string, assignmentId: string, mark: number): Promise<void> {
    await this.call('POST', `/api/assignment/${assignmentId}/exemplars`, token, {
      docsLink: `https://docs.google.com/document/d/${mark}`,
      note: 'Mine.',
      mark,
      reason: 'It says why.',
    })
  }

  async remove(token: string, assignmentId: string): Promise<void> {
    await this.call('DELETE', `/api/assignment/${assignmentId}`, token)
  }

  async circle(
    token: string,
    fields: { name: string; description?: string; listed?: boolean; join?: string },
  ): Promise<string> {
    return String((await this.call('POST', '/api/circles', token, fields)).insertedId)
  }

  /** Makes an invitation to a circle, and returns its link. */
  async invite(token: string, circleId: string, fields: object = {}): Promise<string> {
    return String((await this.call('POST', `/api/circle/${circleId}/invitations`, token, fields)).url)
  }

  /** Joins a circle by the link of an invitation. */
  async join(token: string, link: string): Promise<void> {
    const secret = link.slice(link.indexOf('#') + 1)
    await this.call('POST', '/api/circles/join', token, { secret })
  }

  /** Asks to join a circle. */
  async askToJoin(token: string, circleId: string): Promise<void> {
    await this.call('POST', `/api/circle/${circleId}/ask`, token)
  }

  /** Confirms a user's address by the link in an email. */
  async confirm(token: string, link: string): Promise<void> {
    const data = { token: new URL(link).searchParams.get('token') }
    const status = await this.ask('POST', '/api/auth/email/verify', token, data, (response) =>
      Promise.resolve(response.status()),
    )
    expect(status).toBe(204)
  }

  async members(token: string, circleId: string): Promise<{ userId: string; displayName: string }[]> {
    const { data } = await this.call('GET', `/api/circle/${circleId}/members?limit=100`, token)
    return data as { userId: string; displayName: string }[]
  }

  /** Gives a member of a circle another role. */
  async promote(token: string, circleId: string, name: string, role: string): Promise<void> {
    const { userId } =
      (await this.members(token, circleId)).find(({ displayName }) => displayName === name) ?? {}
    await this.call('PATCH', `/api/circle/${circleId}/members/${userId}`, token, { role })
  }

  private call(method: string, path: string, token: string | null, data?: object) {
    return this.ask(method, path, token, data, async (response) => {
      expect(response.ok(), `${method} ${path}: ${response.status()}`).toBe(true)
      return (await response.json()) as Record<string, unknown>
    })
  }

  private async ask<T>(
    method: string,
    path: string,
    token: string | null,
    data: object | undefined,
    read: (response: APIResponse, cookies: Cookies) => Promise<T>,
  ): Promise<T> {
    // One client for each call: they must not share a session cookie.
    const client = await this.request.newContext()
    try {
      const headers: Record<string, string> = token ? { Authorization: `Bearer ${token}` } : {}
      const response = await client.fetch(this.url + path, { method, data, headers })
      const { cookies } = await client.storageState()
      rememberSecrets([headers, data, cookies])
      return await read(response, cookies)
    } finally {
      await client.dispose()
    }
  }
}
