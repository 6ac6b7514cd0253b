import { type ColorTheme, calculateBrandColors } from '../../../../src/platform/html/brand-colors.ts'
import { workspaceTexts } from '../../texts/en/settings-texts.ts'
import styles from './settings.module.css'

/** Shows the color as buttons, links and selections will have it, in both themes. */
export const BrandPreview = ({ color }: { color: string }) => (
  <figure className={styles.preview} aria-label={workspaceTexts.preview}>
    <PreviewTheme color={color} theme="light" />
    <PreviewTheme color={color} theme="dark" />
  </figure>
)

function PreviewTheme({ color, theme }: { color: string; theme: ColorTheme }) {
  const { fill, textOnFill, text, softBackground } = calculateBrandColors(color || null, theme)
  return (
    <div data-theme={theme} className={styles.previewTheme}>
      <span className={styles.previewName}>{workspaceTexts[theme]}</span>
      <span className={styles.previewButton} style={{ background: fill, color: textOnFill }}>
        {workspaceTexts.previewButton}
      </span>
      <span style={{ color: text }}>{workspaceTexts.previewLink}</span>
      <span className={styles.previewBadge} style={{ background: softBackground, color: text }}>
        {workspaceTexts.previewBadge}
      </span>
    </div>
  )
}
