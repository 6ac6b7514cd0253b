import { importTexts as texts } from '../../../texts/en/import-texts.ts'
import styles from '../imports.module.css'

export function SampleTable({ columns, rows }: { columns: readonly string[]; rows: readonly (readonly string[])[] }) {
  if (rows.length === 0) return <p className={styles.note}>{texts.noSamples}</p>
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls must be reachable by keyboard
    <section className={styles.scroll} aria-label={texts.firstRows} tabIndex={0}>
      <table className={styles.samples}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            <tr key={at}>
              {columns.map((column, index) => (
                <td key={column}>{row[index]}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
