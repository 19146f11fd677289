import { drawFormula, partsOf } from '@/lib/formulas'

const draw = (formula: HTMLElement | null) => {
  if (formula) drawFormula(formula)
}

/** A text without Markdown whose formulas are drawn. Its code is fetched where a text may have one. */
export default function FormulaText({ text }: { text: string }) {
  return partsOf(text).map((part) =>
    part.isFormula ? (
      <var key={`${part.at} ${part.text}`} ref={draw}>
        {part.text}
      </var>
    ) : (
      part.text
    ),
  )
}
