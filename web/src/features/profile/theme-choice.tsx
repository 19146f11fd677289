import { Select } from '@/components/ui'
import { setTheme, useThemeChoice, type Theme } from '@/lib/theme'
import { Section } from './section'

export function ThemeChoice() {
  const choice = useThemeChoice()
  return (
    <Section id="looks" title="Appearance">
      <Select
        label="Theme"
        hint="Remembered on this device."
        className="max-w-xs"
        value={choice}
        onChange={(event) => setTheme(event.currentTarget.value as Theme | 'system')}
      >
        <option value="system">Same as my device</option>
        <option value="light">Light</option>
        <option value="dark">Dark</option>
      </Select>
    </Section>
  )
}
