import { type ReactNode, useId, useState } from 'react'
import { chartTexts } from '../texts/en/chart-texts.ts'
import { Button } from '../ui/button.tsx'
import styles from './chart-frame.module.css'
import { type ChartData, toTable } from './chart-model.ts'

export type ChartProps = {
  /** The question that the chart answers. */
  title: string
  data: ChartData
  /** The answer in a sentence. */
  finding: string
  /** The window of the data, its time and its zone. */
  period: string
  /** Stands for the chart if there is nothing to draw. */
  empty?: ReactNode
}

/** The texts that name and describe the marks. */
export type ChartLabels = { titleId: string; findingId: string }

/** A card with a question, the chart that answers it or the table of its values, and the answer as a sentence. */
export function ChartFrame({
  title,
  data,
  finding,
  period,
  empty,
  children,
}: ChartProps & { children: (labels: ChartLabels) => ReactNode }) {
  const id = useId()
  const [isTable, setTable] = useState(false)
  return (
    <section className={styles.card} aria-labelledby={id}>
      <header className={styles.header}>
        <h2 id={id}>{title}</h2>
        {!empty && (
          <>
            {data.series.length > 1 && <Legend series={data.series} />}
            <Button
              variant="quiet"
              size="small"
              aria-pressed={isTable}
              aria-label={`${chartTexts.table}: ${title}`}
              onClick={() => setTable(!isTable)}
            >
              {chartTexts.table}
            </Button>
          </>
        )}
      </header>
      {empty ??
        (isTable ? <TableTwin title={title} data={data} /> : children({ titleId: id, findingId: `${id}-finding` }))}
      {!empty && (
        <div className={styles.foot}>
          <p id={`${id}-finding`}>{finding}</p>
          <p className={styles.period}>{period}</p>
        </div>
      )}
    </section>
  )
}

const Legend = ({ series }: Pick<ChartData, 'series'>) => (
  <ul className={styles.legend}>
    {series.map(({ key, label, tone }) => (
      <li key={key}>
        <i className={`${styles.sample} ${styles[tone]}`} />
        {label}
      </li>
    ))}
  </ul>
)

function TableTwin({ title, data }: { title: string; data: ChartData }) {
  const { columns, rows } = toTable(data)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys scroll a wide table
    <section className={styles.tableBox} tabIndex={0} aria-label={title}>
      <table className={styles.table}>
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
          {rows.map(({ key, cells: [label, ...values] }) => (
            <tr key={key}>
              <th scope="row">{label}</th>
              {values.map((value, at) => (
                <td key={columns[at + 1]}>{value}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
