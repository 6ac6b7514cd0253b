import { useStore } from '../../api/store.ts'
import { changeUserPreferences } from '../../patterns/preferences/change-user-preferences.ts'
import { changePreferences, type Preferences, preferences } from '../../session/preferences.ts'
import { showShortcuts } from '../../session/shortcuts.ts'
import { useNavigationPreferences } from '../../session/user-preferences.ts'
import { navigationTexts } from '../../texts/en/navigation-texts.ts'
import { appearanceTexts, settingsTexts } from '../../texts/en/settings-texts.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/field.tsx'
import { RadioGroup } from '../../ui/radio-group.tsx'
import { Card, SectionHeader } from './card.tsx'
import styles from './settings.module.css'

const themes = (Object.keys(appearanceTexts.themes) as Preferences['theme'][]).map((value) => ({
  value,
  label: appearanceTexts.themes[value],
}))
const densities = (Object.keys(appearanceTexts.densities) as Preferences['density'][]).map((value) => ({
  value,
  label: appearanceTexts.densities[value],
  description: appearanceTexts.densityDescriptions[value],
}))

const focuses = (Object.keys(navigationTexts.focuses) as (keyof typeof navigationTexts.focuses)[]).map((value) => ({
  value,
  label: navigationTexts.focuses[value],
  description: navigationTexts.descriptions[value],
}))

export function AppearanceSection() {
  const { theme, density, hasShortcuts } = useStore(preferences)
  const { focus } = useNavigationPreferences()
  return (
    <>
      <SectionHeader title={settingsTexts.sections.appearance} text={appearanceTexts.text} />
      <Card title={appearanceTexts.theme}>
        <RadioGroup
          label={appearanceTexts.theme}
          isLabelHidden
          name="theme"
          options={themes}
          value={theme}
          onChange={(value) => changePreferences({ theme: value })}
        />
      </Card>
      <Card title={navigationTexts.focus}>
        <p className={styles.soft}>{navigationTexts.focusHint}</p>
        <RadioGroup
          label={navigationTexts.focus}
          isLabelHidden
          name="focus"
          options={focuses}
          value={focus ?? 'sell'}
          onChange={(value) => void changeUserPreferences(() => ({ focus: value, collapsed: [] }))}
        />
      </Card>
      <Card title={appearanceTexts.density}>
        <RadioGroup
          label={appearanceTexts.density}
          isLabelHidden
          name="density"
          options={densities}
          value={density}
          onChange={(value) => changePreferences({ density: value })}
        />
      </Card>
      <Card title={appearanceTexts.keyboard}>
        <Checkbox
          label={appearanceTexts.shortcuts}
          checked={hasShortcuts}
          onChange={(event) => changePreferences({ hasShortcuts: event.target.checked })}
        />
        <p className={styles.soft}>{appearanceTexts.shortcutsHint}</p>
        <div className={styles.formActions}>
          <Button keys="?" onClick={showShortcuts}>
            {appearanceTexts.showShortcuts}
          </Button>
        </div>
      </Card>
    </>
  )
}
