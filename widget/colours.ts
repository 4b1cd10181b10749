/** The widget's colours in light and dark. They equal those of Skylark's page (web/ui/tokens.css). */
export const WIDGET_COLOURS = {
  'line-strong': ['#7c898b', '#78898f'],
  line: ['#e2dacb', '#2c404b'],
  sunken: ['#f1ebde', '#12202a'],
  'ink-soft': ['#4a5e67', '#b0bec1'],
  ink: ['#17303b', '#f1eadc'],
  raised: ['#fffdf9', '#172731'],
  'good-wash': ['#e1f0e6', '#15362a'],
  good: ['#1d6b45', '#86d6a8'],
  'bad-wash': ['#fbe7e3', '#3d1f1d'],
  bad: ['#a8201f', '#ffa49c'],
  'action-wash': ['#e0eef0', '#1f3c47'],
  action: ['#0f5a6b', '#8fd3de'],
} as const;
