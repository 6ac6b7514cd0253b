import { ChartFrame, type ChartLabels, type ChartProps } from './chart-frame.tsx'
import { type ChartData, type ChartRow, formatValue, highestOf, type OpenMark, sumOf } from './chart-model.ts'
import styles from './row-bars.module.css'
import { useMarks } from './use-marks.ts'

type RowBarsProps = ChartProps & { open?: OpenMark }

/** Rows of which each divides an amount, such as what was won and what is open. */
export const StackedBars = ({ open, ...frame }: RowBarsProps) => (
  <ChartFrame {...frame}>
    {(labels) => <Rows {...{ data: frame.data, labels, open }} highest={Math.max(...frame.data.rows.map(sumOf))} />}
  </ChartFrame>
)

/** Rows of which each is a part of the one before. */
export const Funnel = ({ open, ...frame }: RowBarsProps) => (
  <ChartFrame {...frame}>
    {(labels) => <Rows {...{ data: frame.data, labels, open }} highest={highestOf(frame.data)} isShort />}
  </ChartFrame>
)

type RowsProps = { data: ChartData; labels: ChartLabels; open?: OpenMark; highest: number; isShort?: boolean }

function Rows({ data, labels, open, highest, isShort = false }: RowsProps) {
  const { series, rows } = data
  const marks = useMarks({ data, direction: 'down', labels, open })
  return (
    <>
      <div className={`${styles.rows} ${isShort ? styles.short : ''}`} {...marks.list}>
        {rows.map((row, at) => (
          // biome-ignore lint/a11y/useSemanticElements: a group of options
          <div
            key={row.key}
            role="group"
            aria-label={row.label}
            className={`${styles.row} ${row.isEmphasized ? styles.emphasized : ''}`}
          >
            <span className={styles.label} aria-hidden="true">
              {row.label}
            </span>
            <span className={styles.track}>
              {series.map(({ key, tone }, seriesAt) => (
                <span
                  key={key}
                  {...marks.bindMark({ row: at, series: seriesAt })}
                  className={`${styles.mark} ${styles[tone]} ${row.values[seriesAt] ? '' : styles.none}`}
                  style={{ width: `${highest ? ((row.values[seriesAt] ?? 0) / highest) * 100 : 0}%` }}
                />
              ))}
            </span>
            <Values row={row} data={data} />
          </div>
        ))}
      </div>
      <span id={marks.hintId} hidden>
        {marks.hint}
      </span>
    </>
  )
}

const Values = ({ row, data: { series, format } }: { row: ChartRow; data: ChartData }) => (
  <span className={styles.values} aria-hidden="true">
    <span>
      {series.map(({ key }, at) => (
        <span key={key} className={at === 0 ? styles.value : styles.further}>
          {at > 0 && ' + '}
          {formatValue(row.values[at], format)}
        </span>
      ))}
    </span>
    {row.note && <span className={styles.note}>{row.note}</span>}
  </span>
)
