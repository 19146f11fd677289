import {
  set,
  useForm,
  type DefaultValues,
  type FieldErrors,
  type FieldValues,
  type Resolver,
  type UseFormReturn,
} from 'react-hook-form'
import { readDraft } from './drafts'
import { useDraft } from './use-draft'
import type { z } from './zod'

interface SchemaFormOptions<Values extends FieldValues> {
  /** The form's rules, or how to fetch them. Its output is what the form submits. */
  schema: z.ZodMiniType<Values, Values> | (() => Promise<z.ZodMiniType<Values, Values>>)
  /** The form's first values. A field without one keeps text typed before hydration. */
  values: DefaultValues<Values>
  /** The name of its draft, which the form starts from where there is one, and which its sender drops. A form of secrets has none. */
  draft?: string
  /** The version of what the form changes; a draft over another version is not used. */
  over?: string | undefined
  /** Fields that the draft leaves out. */
  secret?: readonly string[]
}

/** A form with one schema. What the user enters is a draft until it is sent. */
export function useSchemaForm<Values extends FieldValues>({
  schema,
  values,
  draft,
  over,
  secret,
}: SchemaFormOptions<Values>): UseFormReturn<Values> {
  const form = useForm<Values>({
    resolver: typeof schema === 'function' ? fetchedResolverOf(schema) : resolverOf(schema),
    defaultValues: { ...values, ...(draft && readDraft<Values>(draft, over)) },
  })
  useDraft(draft, form, values, { over, without: secret })
  return form
}

/** The first fault of each field, under its path. */
const resolverOf =
  <Values extends FieldValues>(schema: z.ZodMiniType<Values, Values>): Resolver<Values> =>
  (typed) => {
    const { success, data, error } = schema.safeParse(typed)
    if (success) return { values: data, errors: {} }
    const errors: FieldErrors<Values> = {}
    for (const { path, code, message } of error.issues.toReversed()) {
      set(errors, path.join('.'), { type: code, message })
    }
    return { values: {}, errors }
  }

/**
 * The same for a schema whose code is fetched apart from its form, as zod is a large part of a page. If it cannot be
 * fetched, the server alone checks.
 */
export const fetchedResolverOf =
  <Values extends FieldValues>(fetchSchema: () => Promise<z.ZodMiniType<Values, Values>>): Resolver<Values> =>
  async (values, context, options) => {
    const schema = await fetchSchema().catch(() => null)
    return schema ? resolverOf(schema)(values, context, options) : { values, errors: {} }
  }
