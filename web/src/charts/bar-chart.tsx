import { useEffect, useId, useMemo, useRef } from 'react'
import styles from './bar-chart.module.css'
import { type BarLayout, layOutBars, plot } from './bar-layout.ts'
import { ChartFrame, type ChartLabels, type ChartProps } from './chart-frame.tsx'
import { type ChartData, linesOfRow, type OpenMark } from './chart-model.ts'
import { useMarks } from './use-marks.ts'
import { useWidth } from './use-width.ts'

type BarChartProps = ChartProps & { open?: OpenMark }

/** Vertical bars over time. If they do not fit, they are scrolled beside the axis, the latest ones first. */
export const BarChart = ({ open, ...frame }: BarChartProps) => (
  <ChartFrame {...frame}>{(labels) => <Bars data={frame.data} labels={labels} open={open} />}</ChartFrame>
)

function Bars({ data, labels, open }: { data: ChartData; labels: ChartLabels; open?: OpenMark }) {
  const box = useRef<HTMLDivElement>(null)
  const available = useWidth(box)
  const layout = useMemo(() => layOutBars(data, available), [data, available])
  const isMeasured = available > 0
  useEffect(() => {
    if (isMeasured) box.current!.scrollLeft = box.current!.scrollWidth
  }, [isMeasured])
  return (
    <div className={styles.frame}>
      <div className={styles.box} ref={box}>
        {isMeasured && (
          <>
            <AxisLabels layout={layout} />
            <Plot {...{ data, layout, labels, open }} />
          </>
        )}
      </div>
    </div>
  )
}

const AxisLabels = ({ layout: { axisWidth, ticks } }: { layout: BarLayout }) => (
  <svg className={styles.axis} width={axisWidth} height={plot.height} aria-hidden="true">
    {ticks.map(({ value, y, text }) => (
      <text key={value} x={axisWidth - 8} y={y + 4} textAnchor="end">
        {text}
      </text>
    ))}
  </svg>
)

type PlotProps = { data: ChartData; layout: BarLayout; labels: ChartLabels; open?: OpenMark }

function Plot({ data, layout, labels, open }: PlotProps) {
  const { width, baseline, ticks, bars, centers } = layout
  const id = useId()
  const marks = useMarks({ data, direction: 'across', labels, open })
  return (
    <>
      {/* biome-ignore lint/a11y/noSvgWithoutTitle: the question of the chart is its label */}
      <svg className={styles.plot} width={width} height={plot.height} {...marks.list}>
        <defs>
          {data.series.map(({ key, tone }) => (
            <pattern
              key={key}
              id={`${id}-${tone}`}
              className={styles[tone]}
              width="6"
              height="6"
              patternUnits="userSpaceOnUse"
              patternTransform="rotate(45)"
            >
              <rect width="3" height="6" />
            </pattern>
          ))}
        </defs>
        {/* biome-ignore lint/a11y/noAriaHiddenOnFocusable: the texts of the axis have no focus */}
        <g aria-hidden="true">
          {ticks.map(({ value, y }) => (
            <line key={value} className={value === 0 ? styles.base : styles.grid} x2={width} y1={y} y2={y} />
          ))}
          {data.rows.map((row, at) => (
            <text key={row.key} textAnchor="middle">
              {linesOfRow(row).map((line, lineAt) => (
                <tspan key={line} x={centers[at]} y={baseline + 16 + lineAt * 14}>
                  {line}
                </tspan>
              ))}
            </text>
          ))}
        </g>
        {bars.map((bar) => {
          const { tone } = data.series[bar.series]!
          const { isUnfinished } = data.rows[bar.row]!
          return (
            <g
              key={`${data.rows[bar.row]!.key}-${tone}`}
              className={`${styles.mark} ${styles[tone]} ${isUnfinished ? styles.unfinished : ''}`}
              {...marks.bindMark(bar)}
            >
              <rect className={styles.target} x={bar.x} width={bar.width} y={0} height={baseline} />
              <rect
                className={styles.bar}
                x={bar.x}
                width={bar.width}
                y={bar.y}
                height={bar.height}
                rx={Math.min(3, bar.height / 2)}
                {...(isUnfinished && { fill: `url(#${id}-${tone})` })}
              />
              <text x={bar.x + bar.width / 2} y={bar.y - 5} textAnchor="middle">
                {bar.text}
              </text>
            </g>
          )
        })}
      </svg>
      <span id={marks.hintId} hidden>
        {marks.hint}
      </span>
    </>
  )
}
