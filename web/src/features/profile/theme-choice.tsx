import { t } from '@lingui/core/macro'
import { Select } from '@/components/ui'
import { setTheme, useThemeChoice, type Theme } from '@/lib/theme'
import { Section } from './section'

export function ThemeChoice() {
  const choice = useThemeChoice()
  return (
    <Section id="looks" title={t`Appearance`}>
      <Select
        label={t`Theme`}
        hint={t`Remembered on this device.`}
        className="max-w-xs"
        value={choice}
        onChange={(event) => setTheme(event.currentTarget.value as Theme | 'system')}
      >
        <option value="system">{t`Same as my device`}</option>
        <option value="light">{t`Light`}</option>
        <option value="dark">{t`Dark`}</option>
      </Select>
    </Section>
  )
}
