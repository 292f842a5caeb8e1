// SPDX-License-Identifier: Apache-2.0

package io.leaf.benchmarks.report;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

import io.leaf.benchmarks.report.Subject.Family;
import org.HdrHistogram.HistogramIterationValue;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.ChartEncoder;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.internal.chartpart.IChart;
import org.knowm.xchart.style.Styler;
import org.knowm.xchart.style.Styler.LegendPosition;
import org.knowm.xchart.style.markers.SeriesMarkers;

/**
 * The figures as pictures.
 */
final class Plots {

	private static final int WIDTH = 960;

	private static final int HEIGHT = 540;

	/**
	 * Beyond it there are too few calls for a curve.
	 */
	private static final double TOP_PERCENTILE = 99.999;

	/**
	 * Letters are drawn as outlines, with more decimals than any screen has use for.
	 */
	private static final Pattern NEEDLESS_DIGITS = Pattern.compile("(\\.\\d)\\d+");

	private static final List<Color> COLORS = List.of(new Color(0x0072b2), new Color(0xd55e00), new Color(0x009e73),
			new Color(0xcc79a7), new Color(0x56b4e9), new Color(0xe69f00), new Color(0x7f3c8d), new Color(0x6b7280),
			new Color(0x882255), new Color(0x117733), new Color(0xa5aa99), new Color(0x332288));

	private final Path folder;

	/**
	 * Creates pictures.
	 * @param folder where to put them
	 */
	Plots(Path folder) {
		this.folder = folder;
	}

	/**
	 * Draws how many IDs a second the generators of a family yield, by threads. The lines
	 * at the ends of the bars are as long as the least and the most of the rounds are
	 * apart.
	 * @param name the name of the file, without its ending
	 * @param title the title
	 * @param family which generators
	 * @param throughput what was measured
	 * @throws IOException if the file cannot be written
	 */
	void throughput(String name, String title, Family family, Throughput throughput) throws IOException {
		CategoryChart chart = new CategoryChartBuilder().width(WIDTH)
			.height(HEIGHT)
			.title(title)
			.xAxisTitle("threads")
			.yAxisTitle("million IDs a second")
			.build();
		style(chart.getStyler());
		chart.getStyler().setAvailableSpaceFill(0.9);
		chart.getStyler().setYAxisMin(0.0);
		for (Subject subject : Subject.values()) {
			// batches are of another order: beside them the others would not be seen
			if (subject.family() == family && subject.idsPerCall() == 1) {
				bars(chart, subject, throughput);
			}
		}
		if (!chart.getSeriesCollection().isEmpty()) {
			write(chart, name);
		}
	}

	private static void bars(CategoryChart chart, Subject subject, Throughput throughput) {
		List<String> threads = new ArrayList<>();
		List<Double> medians = new ArrayList<>();
		List<Double> deviations = new ArrayList<>();
		for (int count : throughput.threads()) {
			List<Double> rates = throughput.rates(subject, count)
				.stream()
				.filter((rate) -> !rate.isNaN())
				.map((rate) -> rate / 1e6)
				.toList();
			threads.add(Integer.toString(count));
			medians.add(rates.isEmpty() ? 0 : Spread.of(rates).median());
			deviations.add(rates.isEmpty() ? 0 : (Spread.of(rates).max() - Spread.of(rates).min()) / 2);
		}
		if (medians.stream().anyMatch((median) -> median > 0)) {
			chart.addSeries(plain(subject.title()), threads, medians, deviations);
		}
	}

	/**
	 * Draws how long calls took, from the median to the slowest.
	 * @param name the name of the file, without its ending
	 * @param title the title
	 * @param curves the sources
	 * @throws IOException if the file cannot be written
	 */
	void tails(String name, String title, List<Tail.Curve> curves) throws IOException {
		XYChart chart = new XYChartBuilder().width(WIDTH)
			.height(HEIGHT)
			.title(title)
			.xAxisTitle("one call in …")
			.yAxisTitle("takes longer than … µs")
			.build();
		style(chart.getStyler());
		// a dash is drawn as an outline, and a logarithmic axis has many lines
		chart.getStyler().setPlotGridLinesStroke(new BasicStroke(1));
		chart.getStyler().setXAxisLogarithmic(true);
		chart.getStyler().setYAxisLogarithmic(true);
		chart.getStyler().setXAxisLogarithmicDecadeOnly(true);
		chart.getStyler().setYAxisLogarithmicDecadeOnly(true);
		chart.getStyler().setXAxisDecimalPattern("#,###");
		chart.getStyler().setYAxisDecimalPattern("#,##0.##");
		Map<String, Color> colors = new TreeMap<>();
		for (Tail.Curve curve : curves) {
			Color color = colors.computeIfAbsent(curve.title(), (key) -> COLORS.get(colors.size()));
			XYSeries series = add(chart, curve);
			series.setLineColor(color);
			series.setLineStyle((curve.threads() == 1) ? new BasicStroke(2) : dashed());
			series.setMarker(SeriesMarkers.NONE);
		}
		write(chart, name);
	}

	private static XYSeries add(XYChart chart, Tail.Curve curve) {
		List<Double> oneIn = new ArrayList<>();
		List<Double> micros = new ArrayList<>();
		for (HistogramIterationValue value : curve.nanos().percentiles(5)) {
			if (value.getPercentile() <= TOP_PERCENTILE) {
				oneIn.add(100 / (100 - value.getPercentile()));
				micros.add(value.getValueIteratedTo() / 1e3);
			}
		}
		return chart.addSeries(plain(curve.title()) + ", threads: " + curve.threads(), oneIn, micros);
	}

	private static BasicStroke dashed() {
		return new BasicStroke(2, BasicStroke.CAP_BUTT, BasicStroke.JOIN_ROUND, 10, new float[] { 6, 4 }, 0);
	}

	private static String plain(String markdown) {
		return markdown.replace("`", "");
	}

	private static void style(Styler styler) {
		styler.setChartBackgroundColor(Color.WHITE);
		styler.setPlotBackgroundColor(Color.WHITE);
		styler.setLegendPosition(LegendPosition.OutsideE);
		styler.setLegendBorderColor(Color.WHITE);
		styler.setSeriesColors(COLORS.toArray(Color[]::new));
		styler.setChartTitleFont(new Font(Font.SANS_SERIF, Font.BOLD, 16));
		styler.setLegendFont(new Font(Font.SANS_SERIF, Font.PLAIN, 12));
	}

	private void write(IChart chart, String name) throws IOException {
		String svg = new String(ChartEncoder.getBytes(chart, "svg"), StandardCharsets.UTF_8);
		Files.writeString(this.folder.resolve(name + ".svg"), NEEDLESS_DIGITS.matcher(svg).replaceAll("$1"));
	}

}
