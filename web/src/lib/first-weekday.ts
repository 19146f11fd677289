type Weekday = 0 | 1 | 2 | 3 | 4 | 5 | 6

/** The day on which weeks start where a language is spoken, 0 is Sunday; Monday (ISO 8601) where the browser does not say. */
export function firstWeekday(language: string): Weekday {
  const locale = new Intl.Locale(language) as Intl.Locale & { getWeekInfo?: () => { firstDay: number } }
  return ((locale.getWeekInfo?.().firstDay ?? 1) % 7) as Weekday
}
